/** At most so many times what the log needs is proposed: a higher limit would protect too little. */
export const MOST_HEADROOM = 1.5;
/** How sure it is: three times the deviation of what two logs of the same people need. */
const SURE = 3;
/** Clients of which the spread is measured: a fixed number, or some for each that may be denied. */
const SAMPLES = 50;
const SAMPLES_EACH = 10;

/**
 * How many times what this log needs a limit should allow, so that another log of the same clients needs no more. The
 * busiest clients of two logs differ, and the more so, the more the busiest clients of one log differ.
 *
 * @param sorted demands of all clients, in units, the highest first @param denied clients that the limit may deny
 */
export function headroomOf(sorted: Float64Array, denied: number): number {
  const count = Math.min(Math.max(SAMPLES, SAMPLES_EACH * (denied + 1)), Math.floor(sorted.length / 4));
  if (count === 0) return Infinity;
  const base = Math.max(1, sorted[count]!);
  // The estimator of Hill: by what factor, on average, the busiest exceed the least busy of them.
  const spread = sorted.slice(0, count).reduce((sum, value) => sum + Math.log(Math.max(base, value) / base), 0) / count;
  return Math.exp(SURE * spread * Math.sqrt(2 / (denied + 1)));
}
