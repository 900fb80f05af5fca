import type { Policy } from '../model/policy.js';
import type { Algorithm } from './algorithm.js';
import { cellsOf, type Kernel } from './kernel.js';

/** The steps of a kernel on states that do not change. */
export function stepsOf<P extends Policy, State extends readonly number[]>(
  kernel: Kernel<P>,
): Pick<Algorithm<P, State>, 'wait' | 'remaining' | 'charge' | 'describe'> {
  return {
    wait: (state, now, policy, cost) => kernel.wait(cellsOf(state), 0, now, policy, cost),
    remaining: (state, now, policy) => kernel.remaining(cellsOf(state), 0, now, policy),
    charge(state, now, policy, cost) {
      const cells = cellsOf(state);
      kernel.charge(cells, 0, now, policy, cost);
      const next = kernel.width === 2 ? [cells[0]!, cells[1]!] : [cells[0]!, cells[1]!, cells[2]!];
      return next as readonly number[] as State;
    },
    describe: (state, now, policy, result) => kernel.describe(cellsOf(state), 0, now, policy, result),
  };
}
