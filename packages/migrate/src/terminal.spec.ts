import * as fc from 'fast-check';
import { Terminal } from './terminal.js';

/** What others have written into a program, or into its path. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u001b[2J', '\u001b]0;title\u0007', '\r\n', '\n+ fine', '\u009b31m', '\u202e', '\u2028'),
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCodePoint(code)),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** The colors of this terminal. */
const ESCAPE = '\u001b';
const COLORS = new RegExp(`${ESCAPE}\\[(?:1|2|22|31|32|39)m`, 'g');

let output = '';

beforeAll(() => {
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((chunk) => ((output += String(chunk)), true));
  }
});
afterAll(() => jest.restoreAllMocks());

/** What `run` writes to stdout and stderr. */
function written(run: () => void): string {
  output = '';
  run();
  return output;
}

/** True for so many whole lines without a character that a terminal obeys. */
function isPlain(text: string, lines: number): boolean {
  const found = text.split('\n');
  return found.length === lines + 1 && found.pop() === '' && !found.some((line) => UNPRINTABLE.test(line));
}

describe.each([
  ['without colors', {}],
  ['with colors', { FORCE_COLOR: '1' }],
])('Terminal %s', (_what, environment) => {
  const { env } = process;
  let terminal: Terminal;

  beforeAll(() => {
    process.env = { ...env, NO_COLOR: '', FORCE_COLOR: '0', ...environment };
    terminal = new Terminal();
  });
  afterAll(() => (process.env = env));

  it.each<[string, number, (one: string, other: string) => void]>([
    ['print', 1, (one, other) => terminal.print(one, { style: 'bold', text: other })],
    ['printSource', 1, (one) => terminal.printSource(one.replaceAll('\t', ''), 'green')],
    ['note', 1, (one) => terminal.note(one)],
    ['fail', 2, (one, other) => terminal.fail(one, [other])],
    ['document', 1, (one, other) => terminal.document({ [one]: [other] })],
  ])('%s prints its lines, and nothing that commands a terminal', (_method, lines, run) => {
    const isLawful = (one: string, other: string) => {
      const text = written(() => run(one, other));
      return isPlain('FORCE_COLOR' in environment ? text.replaceAll(COLORS, '') : text, lines);
    };

    expect(() => fc.assert(fc.property(hostile, hostile, isLawful), { numRuns: 200 })).not.toThrow();
  });
});

describe('Terminal', () => {
  it('prints documents that programs read as they were', () => {
    const terminal = new Terminal({ json: true });
    const isSame = (text: string) => {
      const { key } = JSON.parse(written(() => terminal.document({ key: text }))) as { key: string };
      return key === text;
    };

    expect(() => fc.assert(fc.property(hostile, isSame), { numRuns: 200 })).not.toThrow();
  });

  it('keeps the tabs of a program, and drops the end of a line of Windows', () => {
    expect(written(() => new Terminal({ color: false }).printSource('\tlimit(\t5);\r'))).toBe('\tlimit(\t5);\n');
  });
});
