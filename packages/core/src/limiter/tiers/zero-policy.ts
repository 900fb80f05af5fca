import { type Algorithm, algorithmOf } from '../../algorithms/algorithm.js';
import { definePolicy } from '../../algorithms/named/policy-options.js';
import type { Policy } from '../../model/policy.js';

const one = definePolicy({ algorithm: 'fixed-window', limit: 1, window: '1s' });

/** A window without room. A script made for it would write a key, and delete it again, because such scripts charge first. */
const full: Algorithm = { ...algorithmOf(one), packing: undefined };

/** The same for a tier of permits, which no time brings back. */
const fullOfPermits: Algorithm = {
  ...full,
  // It would not tell.
  kernel: () => undefined,
  tell(outcome) {
    outcome.held = true;
    return outcome;
  },
};

/** What a tier decides by at a limit of 0. Nothing is stored of it, so that the state of its other limits stays as it is. */
export function zeroPolicyOf({ window, unit, algorithm: { endsWithRequest } }: Policy): Policy {
  const [tick, , , ...others] = one.numbers;
  const zero = { limit: 0, quota: 0, capacity: 0, window, unit, numbers: [tick!, 0, 0, ...others] };
  return Object.freeze({ ...one, ...zero, algorithm: endsWithRequest ? fullOfPermits : full });
}
