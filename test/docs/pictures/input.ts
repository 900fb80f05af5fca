/**
 * When requests arrive, in milliseconds: the same for every picture. A burst on either side of the first minute, then
 * two a second for a minute, a pause, and a burst after it.
 */
export const requests: readonly number[] = [
  ...evenly(0, 50_000, 10),
  ...evenly(50_000, 58_000, 80),
  ...evenly(62_000, 70_000, 80),
  ...evenly(90_000, 150_000, 120),
  ...evenly(200_000, 204_000, 80),
].toSorted((one, other) => one - other);

/** How long the pictures are. */
export const DURATION = 240_000;

function evenly(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + Math.floor(((to - from) * index) / count));
}
