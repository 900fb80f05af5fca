import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runTool } from '../../../scripts/run.mjs';

const run = promisify(execFile);
const programs = join(__dirname, 'programs');
const nest11 = join(__dirname, '..', 'nestjs-11', 'nest-11.mjs');

/** Both platforms answer the same. */
const ANSWERS = {
  answers: [
    '200 3 {"left":["all 8","* /cats 3"]}',
    '200 null {"well":true}',
    '200 null {"allowed":true}',
    '200 null {"allowed":false}',
    '201 0 {"fed":true}',
    '429 0 {"denied":["POST /cats authenticated"]}',
    '200 0 {"left":["all 5","* /cats 0"]}',
    '429 0 {"denied":["* /cats"]}',
  ],
  seen: 2,
};

describe('an application that was built without metadata of decorators', () => {
  beforeAll(async () => {
    const builds = ['packages/nestjs/tsconfig.esm.json', 'packages/nestjs/tsconfig.cjs.json'];
    if ((await runTool('tsc', ['--build', ...builds])) !== 0) throw new Error('it does not compile');
  });

  it.each([
    ['Nest 12, as an ES module', [join(programs, 'run.mjs')]],
    ['Nest 12, by require', [join(programs, 'run.cjs')]],
    ['Nest 11', ['--import', nest11, join(programs, 'run.mjs')]],
  ])('is limited on %s, and ends when it is closed', async (_name, args) => {
    const { stdout } = await run(process.execPath, args, { timeout: 20_000 });

    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([ANSWERS, ANSWERS]);
  });
});
