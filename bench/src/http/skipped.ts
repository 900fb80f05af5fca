import { subscribe } from 'node:diagnostics_channel';

/** How often a limiter of Sluice has done without its store since this was called. */
export function countSkipped(): () => number {
  let count = 0;
  subscribe('sluice:degraded', () => (count += 1));
  return () => count;
}
