import type { Runner, Setting } from '../contestant.js';

/** The least that counts: no windows, no expiry. */
export function open({ limit }: Setting): Runner {
  const counts = new Map<string, number>();
  return {
    check(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
    admitted: (count) => Number(count) <= limit,
  };
}
