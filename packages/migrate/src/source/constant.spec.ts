import { isOfEnvironment } from './branches.js';
import { constantOf } from './constant.js';
import { loadParser } from './parse-source.js';
import { SourceFile } from './source-file.js';

async function fileOf(text: string): Promise<SourceFile> {
  return (await loadParser())('app.js', text) as SourceFile;
}

/** The value of the argument of `use(…)`. */
function used(file: SourceFile): unknown {
  return constantOf(file, file.nodesOf('CallExpression')[0]!.arguments[0]);
}

/** What the look-ups of names cost. */
function countLookups(): { readonly count: number } {
  const spy = jest.spyOn(SourceFile.prototype, 'valueOf');
  return {
    get count() {
      return spy.mock.calls.length;
    },
  };
}

describe('constantOf', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['60 * 1000', 60_000],
    ['-1', -1],
    ['2 ** 10', 1024],
    ['Infinity', Infinity],
    ['Number.POSITIVE_INFINITY', Infinity],
    ['`text`', 'text'],
    ['a.b', undefined],
    ['f()', undefined],
  ])('knows the value of %s', async (expression, value) => {
    expect(used(await fileOf(`use(${expression});`))).toBe(value);
  });

  it('follows names to their values', async () => {
    expect(used(await fileOf('const second = 1000; const minute = 60 * second; const W = minute; use(W);'))).toBe(
      60_000,
    );
  });

  it('has no value for names that need each other', async () => {
    const file = await fileOf('const a = b + 1; const b = a + 1; use(a);');

    expect(used(file)).toBeUndefined();
    expect(isOfEnvironment(file, file.nodesOf('CallExpression')[0]!.arguments[0])).toBe(false);
  });

  it('looks a name up once, however often other names need it', async () => {
    const lines = Array.from({ length: 16 }, (_, index) => `const a${index + 1} = a${index} + a${index};`);
    const file = await fileOf(`const a0 = 1;\n${lines.join('\n')}\nuse(a16);`);
    const lookups = countLookups();

    expect(used(file)).toBe(2 ** 16);
    expect(lookups.count).toBeLessThan(50);
  });

  it.each(['isTest ? a0 : a0', 'a0 || a0', 'f(a0) + a0', '`${a0}` + a0'])(
    'looks a name up once where it has several values, or none: %s',
    async (expression) => {
      const lines = Array.from(
        { length: 30 },
        (_, index) => `const a${index + 1} = ${expression.replaceAll('a0', `a${index}`)};`,
      );
      const file = await fileOf(`const a0 = settings.a;\n${lines.join('\n')}\nuse(a30);`);
      const lookups = countLookups();

      expect(isOfEnvironment(file, file.nodesOf('CallExpression').at(-1)!.arguments[0])).toBe(false);
      expect(lookups.count).toBeLessThan(300);
    },
  );

  it('does not build a text that doubles with each line', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `const a${index + 1} = a${index} + a${index};`);

    expect(used(await fileOf(`const a0 = 'text';\n${lines.join('\n')}\nuse(a40);`))).toBeUndefined();
  });

  it('gives up on a chain of a thousand names', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `const a${index + 1} = a${index} + 1;`);

    expect(used(await fileOf(`const a0 = 1;\n${lines.join('\n')}\nuse(a1000);`))).toBeUndefined();
  });
});
