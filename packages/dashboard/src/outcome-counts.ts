import type { OutcomeCounts } from './messages.js';

export const NO_OUTCOMES: OutcomeCounts = { within: 0, near: 0, over: 0, never: 0, paid: 0, 'not-needed': 0 };

export function sumOf({ within, near, over, never, paid, 'not-needed': unneeded }: OutcomeCounts): number {
  return within + near + over + never + paid + unneeded;
}
