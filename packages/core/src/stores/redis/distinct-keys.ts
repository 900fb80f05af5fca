/** Keys of a call, each once. */
export interface DistinctKeys {
  /** In the order in which they come first. */
  readonly keys: readonly string[];
  /** For each key that was given the number of its own; undefined where all of them are different. */
  readonly numbers: readonly number[] | undefined;
}

/**
 * Finds the keys of a call that repeat. A Set of 32 keys would be made, and grow, for each call; one table serves all.
 */
export class RepeatTable {
  readonly #last: number;
  /** Where a key of the call stands in it, counted from `#begin`: less than that is left from calls before. */
  #positions = new Int32Array(256);
  #begin = 1;

  /** @param last the number at which it counts anew */
  constructor(last = 2 ** 30) {
    this.#last = last;
  }

  distinct(keys: readonly string[]): DistinctKeys {
    if (areOne(keys)) return { keys: keys.slice(0, 1), numbers: new Array<number>(keys.length).fill(0) };
    this.#reserve(keys.length);
    const positions = this.#positions;
    const begin = this.#begin;
    const mask = positions.length - 1;
    let different: string[] | undefined;
    let numbers: number[] | undefined;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index]!;
      let place = sampleOf(key) & mask;
      while (positions[place]! >= begin && keys[positions[place]! - begin] !== key) place = (place + 1) & mask;
      const isNew = positions[place]! < begin;
      if (isNew) positions[place] = begin + index;
      else if (!numbers) {
        different = keys.slice(0, index);
        numbers = different.map((_, number) => number);
      }
      if (!numbers) continue;
      numbers.push(isNew ? different!.length : numbers[positions[place]! - begin]!);
      if (isNew) different!.push(key);
    }
    this.#begin += keys.length;
    return { keys: different ?? keys, numbers };
  }

  /** Room for twice as many keys. */
  #reserve(keys: number): void {
    if (keys * 2 > this.#positions.length) this.#positions = new Int32Array(2 ** Math.ceil(Math.log2(keys * 2)));
    else if (this.#begin < this.#last) return;
    else this.#positions.fill(0);
    this.#begin = 1;
  }
}

const table = new RepeatTable();

/** The keys of a call, each once. */
export function distinctKeys(keys: readonly string[]): DistinctKeys {
  return table.distinct(keys);
}

/** Whether it is one key time and again: a hot one. */
function areOne(keys: readonly string[]): boolean {
  const [first] = keys;
  // From the end, for the last one tells nearly always.
  for (let index = keys.length - 1; index > 0; index -= 1) if (keys[index] !== first) return false;
  return keys.length > 1;
}

/** Some characters, of which mostly several are of a digest: what is alike there is found by comparing. */
function sampleOf(key: string): number {
  const { length } = key;
  let sample = length;
  for (let sixteenth = 3; sixteenth < 14; sixteenth += 2) {
    sample = Math.imul(sample ^ key.charCodeAt((length * sixteenth) >> 4), 0x9e3779b1);
  }
  return sample ^ (sample >>> 15);
}
