import type { Algorithm } from '../../algorithms/algorithm.js';
import { fixedWindow } from '../../algorithms/fixed-window/fixed-window.js';
import type { FixedWindowPolicy, Window } from '../../algorithms/fixed-window/window-policy.js';
import { definePolicy } from '../../algorithms/policy-options.js';
import type { Policy } from '../../model/policy.js';

/** A window without room. A script made for it would write a key, and delete it again, because such scripts charge first. */
const full: Algorithm<FixedWindowPolicy, Window> = { ...fixedWindow, packing: undefined };

/** In the place of permits: no time brings units. */
const fullOfPermits: typeof full = {
  ...full,
  tell(outcome) {
    outcome.held = true;
    return outcome;
  },
};

/** What a tier decides by at a limit of 0. Nothing is stored of it, so that the state of its other limits stays as it is. */
export function zeroPolicyOf({ window, unit, algorithm: { endsWithRequest } }: Policy): Policy {
  const one = definePolicy({ algorithm: 'fixed-window', limit: 1, window: '1s' });
  const [tick, , , ...others] = one.numbers;
  const zero = { limit: 0, quota: 0, capacity: 0, window, unit, numbers: [tick!, 0, 0, ...others] };
  return Object.freeze({ ...one, ...zero, algorithm: endsWithRequest ? fullOfPermits : full });
}
