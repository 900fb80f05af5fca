import { join } from 'node:path';
import { execute } from '../support/child.js';
import { environment } from '../support/environment.js';
import { root } from '../../scripts/root.mjs';

/** Milliseconds of CPU that a child of the program takes. */
const BUSY_MS = 300;

describe('scripts/cost.mjs', () => {
  it('counts the CPU time of a program that has ended', async () => {
    const busy = `while (process.cpuUsage().user < ${BUSY_MS} * 1e3);`;
    const program = `
      import { spawnSync } from 'node:child_process';
      import { costText, cpuTime } from ${JSON.stringify(join(root, 'scripts/cost.mjs'))};
      const before = cpuTime();
      spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}]);
      const after = cpuTime();
      console.log(JSON.stringify({ took: after ? after.user - before.user : 1, text: costText() }));`;

    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', program], {
      env: environment({ SLUICE_CI_BEGAN: '1' }),
    });
    // Where the system does not tell it, the line has no CPU time.
    const { took, text } = JSON.parse(stdout) as { took: number; text: string };

    expect(took).toBeGreaterThanOrEqual(BUSY_MS / 1e3 - 0.01);
    expect(text).toMatch(
      /^Cost: [\d.]+ s of wall clock,( [\d.]+ s of CPU \([\d.]+ s user, [\d.]+ s system\),)? [\d.]+ s since \.ci\/run began, load [\d.]+ at the start and [\d.]+ at the end\.$/,
    );
  });
});
