import { algorithms } from '../../../algorithms/algorithms.js';
import { candidate, consumeGroup, type Candidate } from '../../../algorithms/group.js';
import type { Ruling } from '../../../model/ruling.js';
import type { Check } from './script-request.js';

/**
 * The rulings on checks, group by group, from the states that a fast path has found.
 *
 * @param numbers the server's microseconds, then one number for each key
 * @param indexes for each claim the index of its key; undefined when all keys differ
 */
export function decideAgain(
  checks: readonly Check[],
  numbers: readonly number[],
  indexes: readonly number[] | undefined,
): readonly (readonly Ruling[])[] {
  const now = numbers[0]!;
  const states = new Array<unknown>(numbers.length - 1);
  const rulings = new Array<readonly Ruling[]>(checks.length);
  let claim = 0;
  for (let check = 0; check < rulings.length; check += 1) {
    const { group } = checks[check]!;
    const candidates = new Array<Candidate>(group.length);
    for (let place = 0; place < group.length; place += 1) {
      const { policy } = group[place]!;
      const algorithm = algorithms[policy.algorithm];
      const index = indexes ? indexes[claim + place]! : claim + place;
      const state = (states[index] ??= algorithm.packing!.unpack(
        numbers,
        index + 1,
        Math.floor(now / policy.tick),
        policy,
      ));
      candidates[place] = candidate(group[place]!, state, algorithm);
    }
    consumeGroup(candidates, now);
    const ruled = new Array<Ruling>(group.length);
    for (let place = 0; place < group.length; place += 1) {
      const { state, changed, ruling } = candidates[place]!;
      if (changed) states[indexes ? indexes[claim + place]! : claim + place] = state;
      ruled[place] = ruling!;
    }
    rulings[check] = ruled;
    claim += group.length;
  }
  return rulings;
}
