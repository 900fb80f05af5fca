import { subscribe } from 'node:diagnostics_channel';

/** Counts the decisions that Sluice makes without its store, from this call on. */
export function countSkipped(): () => number {
  let count = 0;
  subscribe('sluice:degraded', () => (count += 1));
  return () => count;
}
