import { join } from 'node:path';
import { coresOf, placement } from '../../bench/src/processes/cores.js';
import { root } from '../../scripts/root.mjs';
import { execute, HANG_MS } from '../support/child.js';

describe('coresOf', () => {
  it('gives Redis a core, and contestants another one', () => {
    expect(coresOf([0, 1])).toEqual({ redis: [0], load: [0], contestants: [1] });
  });

  it('gives the load generator a core of its own when more are free, and contestants the rest', () => {
    expect(coresOf([2, 3, 8, 9])).toEqual({ redis: [2], load: [3], contestants: [8, 9] });
  });

  it.each([[[]], [[5]]])('leaves placement to the system with fewer than two cores: %j', (allowed) => {
    expect(coresOf(allowed)).toBeUndefined();
  });
});

it('a report names the cores of each process', () => {
  expect(placement(coresOf([0, 1]))).toBe('Redis on core 0, the HTTP load on core 0, contestants on core 1');
  expect(placement(coresOf([0, 1, 2, 3]))).toBe('Redis on core 0, the HTTP load on core 1, contestants on cores 2, 3');
  expect(placement(undefined)).toBe('the system places all processes');
});

it('a measured process runs on its assigned cores, and keeps the shape of a tick', async () => {
  const args = [
    '--trace-protector-invalidation',
    '--import',
    './test/tools/typescript.mjs',
    join('test', 'bench', 'measured.ts'),
  ];

  const { stdout } = await execute(process.execPath, args, { cwd: root, timeout: HANG_MS });

  const { assigned, cores, kept } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
    assigned: number[];
    cores: number[];
    kept: number;
  };
  expect(cores).toEqual(assigned);
  expect(kept).toBe(1);
  // V8 compiles promises worse once an async hook was enabled.
  expect(stdout).not.toContain('PromiseHook');
});
