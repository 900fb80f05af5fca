/** How the first half of a record holds the state. */
const PAIR = 1;
const RING = 2;
const OBJECT = 3;
const KIND = 3;

const DOUBLES = 4;
const CHECK_AT = 2;
const WORDS = 8;
const COUNTS = 2;
const PLACE = 6;
const POLICY = 7;

/**
 * The records of all keys in one typed array, 32 bytes each (key-table.ts has a picture). A record lies in one cache line
 * of the processor, so that a cold key costs one wait for memory. States of two or three numbers take no object; others
 * (long rings, logs) lie beside the array.
 */
export class KeyRecords {
  #doubles: Float64Array;
  /** The same memory. */
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
    const double = slot * DOUBLES;
    const word = slot * WORDS;
    const kind = this.#words[word + POLICY]! & KIND;
    if (kind === OBJECT) return this.#objects.get(slot);
    const first = this.#doubles[double]!;
    if (kind === PAIR) return [first, this.#doubles[double + 1]!];
    return [first, this.#words[word + COUNTS]!, this.#words[word + COUNTS + 1]!];
  }

  /** The number of the policy that the state belongs to. */
  policyOf(slot: number): number {
    return this.#words[slot * WORDS + POLICY]! >>> 2;
  }

  /** @param policy its number, below 2^30 */
  write(slot: number, policy: number, state: unknown): void {
    const double = slot * DOUBLES;
    const word = slot * WORDS;
    if ((this.#words[word + POLICY]! & KIND) === OBJECT) this.#objects.delete(slot);
    const kind = kindOf(state);
    this.#words[word + POLICY] = (policy << 2) | kind;
    if (kind === OBJECT) {
      this.#objects.set(slot, state);
      return;
    }
    const numbers = state as readonly number[];
    this.#doubles[double] = numbers[0]!;
    if (kind === PAIR) this.#doubles[double + 1] = numbers[1]!;
    else {
      this.#words[word + COUNTS] = numbers[1]!;
      this.#words[word + COUNTS + 1] = numbers[2]!;
    }
  }

  /** Copies the numbers of a state. @returns false for a state of another form */
  load(slot: number, width: 2 | 3, cells: Float64Array, at: number): boolean {
    const double = slot * DOUBLES;
    const word = slot * WORDS;
    if ((this.#words[word + POLICY]! & KIND) !== (width === 2 ? PAIR : RING)) return false;
    cells[at] = this.#doubles[double]!;
    if (width === 2) cells[at + 1] = this.#doubles[double + 1]!;
    else {
      cells[at + 1] = this.#words[word + COUNTS]!;
      cells[at + 2] = this.#words[word + COUNTS + 1]!;
    }
    return true;
  }

  /** Copies the numbers of a state back. */
  store(slot: number, width: 2 | 3, cells: Float64Array, at: number): void {
    const double = slot * DOUBLES;
    const word = slot * WORDS;
    this.#doubles[double] = cells[at]!;
    if (width === 2) this.#doubles[double + 1] = cells[at + 1]!;
    else {
      this.#words[word + COUNTS] = cells[at + 1]!;
      this.#words[word + COUNTS + 1] = cells[at + 2]!;
    }
  }

  clear(slot: number): void {
    this.#objects.delete(slot);
    this.#words[slot * WORDS + POLICY] = 0;
  }

  checkAtOf(slot: number): number {
    return this.#doubles[slot * DOUBLES + CHECK_AT]!;
  }

  setCheckAt(slot: number, time: number): void {
    this.#doubles[slot * DOUBLES + CHECK_AT] = time;
  }

  /** The place of a slot in the expiry heap. */
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
