import { join } from 'node:path';
import { execute, HANG_MS } from '../../support/child.js';

const programs = join(__dirname, 'programs');
const nest11 = join(__dirname, '..', 'nestjs-11', 'nest-11.mjs');

/** The answers on each platform. */
const ANSWERS = [
  '200 3 ["all 8","* /cats 3"]',
  '200 null true',
  '200 null false',
  '201 0 fed',
  '429 0 ["POST /cats authenticated"]',
  '200 0 ["all 5","* /cats 0"]',
  '429 0 ["* /cats"]',
];

describe('An application without emitDecoratorMetadata', () => {
  it.each([
    ['Nest 12, as an ES module', [join(programs, 'run.mjs')]],
    ['Nest 12, by require', [join(programs, 'run.cjs')]],
    ['Nest 11', ['--import', nest11, join(programs, 'run.mjs')]],
  ])('is limited on %s, and its process ends after close()', async (_name, args) => {
    const { stdout } = await execute(process.execPath, args, { timeout: HANG_MS });

    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([ANSWERS, ANSWERS]);
  });
});
