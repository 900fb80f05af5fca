/** Failures in a row that open the breaker if they span at least this time: one hiccup fails every call in flight. */
const FAILURES_IN_A_ROW = 5;
const MIN_SPAN_MS = 250;
/** The ratio of failures that opens the breaker, over at least this many calls. */
const FAILURE_RATIO = 0.5;
const MIN_CALLS = 20;
/** Seconds over which the ratio is computed. */
const WINDOW_SECONDS = 10;
const FIRST_OPEN_MS = 250;
const MAX_OPEN_MS = 1_000;

export type BreakerState = 'closed' | 'open' | 'half-open';

/** Receives every change of state. */
export type BreakerListener = (state: BreakerState, details: { problem?: string; openFor?: number }) => void;

/**
 * Keeps calls away from a server that fails. It counts calls, not the checks in them, and has no clock: `now` is in
 * milliseconds that never decrease. Why it is not a library: docs/decisions/0014-breaker.md.
 */
export class Breaker {
  state: BreakerState = 'closed';
  readonly #random: () => number;
  readonly #onChange: BreakerListener;
  readonly #calls = new Array<number>(WINDOW_SECONDS).fill(0);
  readonly #failures = new Array<number>(WINDOW_SECONDS).fill(0);
  #second = 0;
  #failuresInARow = 0;
  #firstFailureAt = 0;
  /** How often the breaker opened since it was last closed. */
  #openings = 0;
  #openUntil = 0;
  #problem = '';

  constructor(onChange: BreakerListener = () => {}, random: () => number = Math.random) {
    this.#onChange = onChange;
    this.#random = random;
  }

  /** Why the breaker opened last. */
  get problem(): string {
    return this.#problem;
  }

  /** True if `admit` would reject a call. */
  rejects(now: number): boolean {
    return this.state === 'half-open' || (this.state === 'open' && now < this.#openUntil);
  }

  /** Decides about a call. After `probe` the breaker is half-open, and rejects until the probe is recorded. */
  admit(now: number): 'call' | 'probe' | 'reject' {
    if (this.state === 'closed') return 'call';
    if (this.rejects(now)) return 'reject';
    this.#change('half-open');
    return 'probe';
  }

  /**
   * Records the outcome of an admitted call. One that was admitted before the breaker opened does not change it, nor one
   * that no request waits for.
   *
   * @param problem of the server or the connection; undefined if the server answered
   */
  record(admitted: 'call' | 'probe' | 'aside', now: number, problem?: string): void {
    if (admitted === 'aside') return;
    if (this.state === 'closed') this.#count(now, problem);
    else if (admitted === 'call') return;
    else if (problem === undefined) this.reset();
    else if (this.state === 'half-open') this.#open(now, problem);
  }

  /** Closes the breaker and forgets all failures: the server is known to work. */
  reset(): void {
    this.#failuresInARow = 0;
    this.#openings = 0;
    this.#calls.fill(0);
    this.#failures.fill(0);
    if (this.state !== 'closed') this.#change('closed');
  }

  #count(now: number, problem: string | undefined): void {
    const second = Math.floor(now / 1_000);
    if (second > this.#second) this.#begin(second);
    const slot = this.#second % WINDOW_SECONDS;
    this.#calls[slot]! += 1;
    if (problem === undefined) {
      this.#failuresInARow = 0;
      return;
    }
    this.#failures[slot]! += 1;
    if (this.#failuresInARow === 0) this.#firstFailureAt = now;
    this.#failuresInARow += 1;
    const isRow = this.#failuresInARow >= FAILURES_IN_A_ROW && now - this.#firstFailureAt >= MIN_SPAN_MS;
    if (isRow || this.#exceedsRatio()) this.#open(now, problem);
  }

  #open(now: number, problem: string): void {
    const openFor = (0.5 + this.#random() / 2) * Math.min(FIRST_OPEN_MS * 2 ** this.#openings, MAX_OPEN_MS);
    this.#openings += 1;
    this.#openUntil = now + openFor;
    this.#problem = problem;
    this.#change('open', { problem, openFor });
  }

  #change(state: BreakerState, details: { problem?: string; openFor?: number } = {}): void {
    this.state = state;
    this.#onChange(state, details);
  }

  /** Clears the slots of the seconds without a call. */
  #begin(second: number): void {
    const cleared = Math.min(second - this.#second, WINDOW_SECONDS);
    for (let index = 0; index < cleared; index += 1) {
      this.#calls[(second - index) % WINDOW_SECONDS] = 0;
      this.#failures[(second - index) % WINDOW_SECONDS] = 0;
    }
    this.#second = second;
  }

  #exceedsRatio(): boolean {
    const calls = sum(this.#calls);
    return calls >= MIN_CALLS && sum(this.#failures) >= calls * FAILURE_RATIO;
  }
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
}
