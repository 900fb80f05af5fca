import * as fc from 'fast-check';
import type { SourceFile } from '../../packages/migrate/src/source/source-file.js';
import { loadParser } from '../../packages/migrate/src/source/parse-source.js';
import { nameOf } from '../../packages/migrate/src/source/syntax.js';
import { migrated } from './fixtures.js';

/** The most that a window of ours counts. */
const MOST = 4_294_967_295;

/** Expressions of numbers as programs write them, and constants that they go through. */
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('1', '5', '100', '0', 'Infinity', 'Number.MAX_SAFE_INTEGER', 'FIRST', 'SECOND', "'7'", 'undefined'),
    fc.constantFrom('process.env.MAX', 'process.env.MAX || 9', 'process.env.MAX ?? 9', 'Number(process.env.MAX)'),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `isTest ? ${a} : ${b}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}) || (${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}) ?? (${b})`),
    fc.tuple(tie('expression'), fc.constantFrom('*', '+', '-')).map(([a, operator]) => `(${a}) ${operator} 2`),
    tie('expression').map((each) => `isTest && (${each})`),
    tie('expression').map((each) => `Number(${each})`),
    tie('expression').map((each) => `Math.max(1, ${each})`),
  ),
}));

const program = fc.record({ first: expression, second: expression, max: expression });
const names = /\b(FIRST|SECOND)\b/g;

const environments = [true, false].flatMap((isTest) =>
  [undefined, '7'].map((max) => ({ isTest, process: { env: { MAX: max } } })),
);

type Environment = (typeof environments)[number];

/** What an expression is behind its constants, in an environment. */
function evaluate(constants: string, text: string, { isTest, process }: Environment): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval -- the expressions are those of this file
  return new Function('isTest', 'process', `${constants}\nreturn (${text});`)(isTest, process) as unknown;
}

/** The text of an option in a translated program. */
function optionIn(file: SourceFile, option: string): string {
  const property = file.nodesOf('Property').find((each) => nameOf(each) === option)!;
  return file.textOf(property.value as { start: number; end: number });
}

/** The limit of express-rate-limit for a value. */
function limitOf(value: unknown): number {
  return value === undefined ? 5 : Number(value);
}

describe('A number that @sluice/migrate translates', () => {
  it('is the same limit in every environment, or is refused', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(program, async ({ first, second, max }) => {
        const constants = `const FIRST = ${first.replaceAll(names, '3')};\nconst SECOND = ${second.replaceAll('SECOND', '4')};`;
        const before = `import { rateLimit } from 'express-rate-limit';\n${constants}\nrateLimit({ max: ${max} });\n`;
        const { translations } = await migrated('app.js', before);
        const [{ text, unread }] = translations as [(typeof translations)[0]];
        if (unread.length > 0) return;
        count += 1;
        const limit = optionIn((await loadParser())('app.js', text) as SourceFile, 'limit');
        for (const environment of environments) {
          const theirs = limitOf(evaluate(constants, max, environment));
          // No limit before either.
          if (Number.isNaN(theirs)) continue;
          const given = evaluate(constants, limit, environment);
          const ours = typeof given === 'function' ? (given as () => unknown)() : given;
          expect([limit, ours]).toEqual([limit, theirs > MOST ? null : theirs]);
          expect(ours === null || (Number.isSafeInteger(ours) && Number(ours) >= 1)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
    expect(count).toBeGreaterThan(20);
  });
});
