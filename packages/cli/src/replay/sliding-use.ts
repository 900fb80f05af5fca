import type { ClientRequests } from './busiest-window.js';

/**
 * The most units of one client that a sliding window of one slot counts, if it denies none: those in a window of the
 * clock, and those in the one before by the share that the window still covers. As core counts them, without its state.
 *
 * @param window milliseconds
 */
export function slidingUse({ size, times, units }: ClientRequests, window: number): number {
  // Core counts in microseconds.
  const slot = Math.round(window * 1e3);
  let [most, newest, newer, older] = [0, Number.NaN, 0, 0];
  for (let index = 0; index < size; index += 1) {
    const now = Math.round(times[index]! * 1e3);
    const current = Math.floor(now / slot);
    if (current !== newest) {
      older = current === newest + 1 ? newer : 0;
      newer = 0;
      newest = current;
    }
    newer += units[index]!;
    const used = newer + Math.ceil((older * (slot - (now - current * slot))) / slot);
    if (used > most) most = used;
  }
  return most;
}
