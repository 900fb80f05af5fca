/**
 * The times of requests in milliseconds, the same for all pictures: a burst on either side of the first minute, two a
 * second for a minute, a pause, and a burst.
 */
export const requests: readonly number[] = [
  ...evenly(0, 50_000, 10),
  ...evenly(50_000, 58_000, 80),
  ...evenly(62_000, 70_000, 80),
  ...evenly(90_000, 150_000, 120),
  ...evenly(200_000, 204_000, 80),
].toSorted((one, other) => one - other);

/** The time that a picture covers, in milliseconds. */
export const DURATION = 240_000;

function evenly(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + Math.floor(((to - from) * index) / count));
}
