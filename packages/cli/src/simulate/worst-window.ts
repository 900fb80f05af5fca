/** Units at a time. */
export interface Charge {
  /** Milliseconds. */
  readonly time: number;
  readonly units: number;
}

/**
 * The most units in any window of a length, measured exactly: a unit at `t` counts in all windows that begin after
 * `t - window` and not after `t`.
 *
 * @param charges in order of time
 * @param window milliseconds
 */
export function worstWindow(charges: readonly Charge[], window: number): number {
  let [first, sum, most] = [0, 0, 0];
  for (const { time, units } of charges) {
    sum += units;
    // Whole microseconds: sums of fractions of milliseconds are not exact.
    while (microseconds(time) - microseconds(charges[first]!.time) >= microseconds(window)) {
      sum -= charges[first]!.units;
      first += 1;
    }
    if (sum > most) most = sum;
  }
  return most;
}

function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e3);
}
