import type { Policy } from '../model/policy.js';
import type { Algorithm } from './algorithm.js';
import { cellsOf, type Kernel } from './kernel.js';

type Pair = readonly [number, number];
type KernelSteps = 'kernel' | 'isAhead' | 'read' | 'wait' | 'remaining' | 'charge' | 'describe';

const NONE: Pair = [0, 0];

/** The steps of kernels on states of two numbers, which do not change. */
export function stepsOf<P extends Policy>(kernelOf: (policy: P) => Kernel<P>): Pick<Algorithm<P, Pair>, KernelSteps> {
  return {
    kernel: kernelOf,
    isAhead: (stored, now, policy) => kernelOf(policy).roll(cellsOf(stored), 0, now, policy),
    read(stored = NONE, now, policy) {
      const cells = cellsOf(stored);
      kernelOf(policy).roll(cells, 0, now, policy);
      return [cells[0]!, cells[1]!];
    },
    wait: (state, now, policy, cost) => kernelOf(policy).wait(cellsOf(state), 0, now, policy, cost),
    remaining: (state, now, policy) => kernelOf(policy).remaining(cellsOf(state), 0, now, policy),
    charge(state, now, policy, cost) {
      const cells = cellsOf(state);
      kernelOf(policy).charge(cells, 0, now, policy, cost);
      return [cells[0]!, cells[1]!];
    },
    describe: (state, now, policy, result) => kernelOf(policy).describe(cellsOf(state), 0, now, policy, result),
  };
}
