const PAIR = 1;
const RING = 2;
const OBJECT = 3;
const KIND = 3;

/** Doubles a row: a state, when it is due, and four words. */
const DOUBLES = 4;
const DUE = 2;
/** Words a row. */
const WORDS = 8;
const COUNTS = 2;
const PLACE = 6;
const POLICY = 7;

/**
 * What is kept of each slot, in 32 bytes that lie together: a key that has not been asked for lately costs one wait for
 * memory, where columns cost one each.
 *
 * Of nearly all algorithms a state is two or three numbers, which take no object. What does not fit (long rings, logs)
 * is kept as it is.
 */
export class SlotRows {
  #doubles: Float64Array;
  /** The same memory: the counts of a ring of two slots, each below 2^32, share the second double. */
  #words: Uint32Array;
  readonly #objects = new Map<number, unknown>();

  constructor(capacity: number) {
    this.#doubles = new Float64Array(capacity * DOUBLES);
    this.#words = new Uint32Array(this.#doubles.buffer);
  }

  /** States that take an object. */
  get objects(): number {
    return this.#objects.size;
  }

  stateOf(slot: number): unknown {
    const kind = this.#words[slot * WORDS + POLICY]! & KIND;
    if (kind === OBJECT) return this.#objects.get(slot);
    const first = this.#doubles[slot * DOUBLES]!;
    if (kind === PAIR) return [first, this.#doubles[slot * DOUBLES + 1]!];
    return [first, this.#words[slot * WORDS + COUNTS]!, this.#words[slot * WORDS + COUNTS + 1]!];
  }

  /** The number of the policy that the state was kept under. */
  policyOf(slot: number): number {
    return this.#words[slot * WORDS + POLICY]! >>> 2;
  }

  /** @param policy its number, below 2^30 */
  write(slot: number, policy: number, state: unknown): void {
    if ((this.#words[slot * WORDS + POLICY]! & KIND) === OBJECT) this.#objects.delete(slot);
    const kind = kindOf(state);
    this.#words[slot * WORDS + POLICY] = (policy << 2) | kind;
    if (kind === OBJECT) {
      this.#objects.set(slot, state);
      return;
    }
    const numbers = state as readonly number[];
    this.#doubles[slot * DOUBLES] = numbers[0]!;
    if (kind === PAIR) {
      this.#doubles[slot * DOUBLES + 1] = numbers[1]!;
      return;
    }
    this.#words[slot * WORDS + COUNTS] = numbers[1]!;
    this.#words[slot * WORDS + COUNTS + 1] = numbers[2]!;
  }

  clear(slot: number): void {
    this.#objects.delete(slot);
    this.#words[slot * WORDS + POLICY] = 0;
  }

  dueOf(slot: number): number {
    return this.#doubles[slot * DOUBLES + DUE]!;
  }

  setDue(slot: number, due: number): void {
    this.#doubles[slot * DOUBLES + DUE] = due;
  }

  placeOf(slot: number): number {
    return this.#words[slot * WORDS + PLACE]!;
  }

  setPlace(slot: number, place: number): void {
    this.#words[slot * WORDS + PLACE] = place;
  }

  grow(capacity: number): void {
    const doubles = new Float64Array(capacity * DOUBLES);
    doubles.set(this.#doubles);
    this.#doubles = doubles;
    this.#words = new Uint32Array(doubles.buffer);
  }
}

function kindOf(state: unknown): number {
  if (!Array.isArray(state)) return OBJECT;
  if (state.length === 2) return PAIR;
  return state.length === 3 && isWord(state[1]) && isWord(state[2]) ? RING : OBJECT;
}

function isWord(number: number): boolean {
  return number >>> 0 === number;
}
