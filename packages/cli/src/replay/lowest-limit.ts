/** The lowest limit that at most so many of some values exceed. */
export function lowestFor(values: readonly number[], most: number): number {
  // A typed array is sorted without a function of each pair.
  const sorted = Float64Array.from(values).toSorted();
  return Math.max(1, sorted.at(-1 - most) ?? 0);
}

export function countAbove(values: readonly number[], limit: number): number {
  return values.filter((value) => value > limit).length;
}
