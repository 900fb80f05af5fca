import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';

const program = join(root, 'test', 'overload', 'programs', 'cluster-shedder.mjs');
const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];

async function linesOf(way: string): Promise<readonly string[]> {
  const { stdout } = await execute(process.execPath, ['--no-warnings', program, way], { cwd: join(root, 'test') });
  return stdout.trim().split('\n');
}

describe('A shedder in a worker of node:cluster', () => {
  it('warns once that connections queue in the primary, which hands them out', async () => {
    const lines = await linesOf('round-robin');

    expect(lines.filter((line) => line === '200')).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('SLUICE'))).toEqual([
      expect.stringMatching(/^SLUICE_SHEDDER_IN_CLUSTER .*SCHED_NONE.*reusePort.*x-request-start/),
    ]);
  });

  it.each(['none', 'stamps', ...(major > 23 || (major === 23 && minor >= 1) ? ['reusePort'] : [])])(
    'does not warn with a remedy: %s',
    async (way) => {
      expect(await linesOf(way)).toEqual(['200', '200']);
    },
  );
});
