/** The keys of a call, each once. */
export interface DistinctKeys {
  /** In the order of their first appearance. */
  readonly keys: readonly string[];
  /** For each given key the index of its own in `keys`; undefined when all of them differ. */
  readonly indexes: readonly number[] | undefined;
}

export function dedupeKeys(given: readonly string[]): DistinctKeys {
  if (areOne(given)) return { keys: given.slice(0, 1), indexes: new Array<number>(given.length).fill(0) };
  const known = new Map<string, number>();
  const indexes = new Array<number>(given.length);
  for (let place = 0; place < given.length; place += 1) {
    const key = given[place]!;
    let index = known.get(key);
    if (index === undefined) {
      index = known.size;
      known.set(key, index);
    }
    indexes[place] = index;
  }
  return known.size === given.length ? { keys: given, indexes: undefined } : { keys: [...known.keys()], indexes };
}

/** Whether a hot key repeats through the whole call. */
function areOne(keys: readonly string[]): boolean {
  const [first] = keys;
  // The last key alone usually settles it.
  for (let place = keys.length - 1; place > 0; place -= 1) if (keys[place] !== first) return false;
  return keys.length > 1;
}
