/** Failures in a row that may be chance. */
const FAILURES = 5;
/** Milliseconds that they have to be spread over: one hiccup fails whatever is under way. */
const SPREAD = 250;
/** Calls that say something about a share, and the share that is too much. */
const CALLS = 20;
const SHARE = 0.5;
/** Seconds that the share is taken over. */
const SECONDS = 10;
/** Milliseconds that it stays open for the first time, and at most. */
const FIRST = 250;
const LONGEST = 1_000;

export type BreakerState = 'closed' | 'open' | 'half-open';

/** Hears of every change of state. */
export type BreakerListener = (state: BreakerState, about: { problem?: string; openFor?: number }) => void;

/**
 * Keeps calls from a server that does not answer. It counts calls and not the checks in them, and knows no clock: times
 * are milliseconds that never go back. Why it is ours: docs/decisions/0014-breaker.md.
 */
export class Breaker {
  readonly #random: () => number;
  readonly #onChange: BreakerListener;
  readonly #calls = new Array<number>(SECONDS).fill(0);
  readonly #failures = new Array<number>(SECONDS).fill(0);
  #state: BreakerState = 'closed';
  #second = 0;
  /** Failures since the last success, and when the first of them was. */
  #inARow = 0;
  #firstFailure = 0;
  /** How often it has opened since it was closed. */
  #opened = 0;
  #openUntil = 0;

  constructor(onChange: BreakerListener = () => {}, random: () => number = Math.random) {
    this.#onChange = onChange;
    this.#random = random;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** True when it has been open for long enough: the next call is a probe, of which there is one at a time. */
  isProbeDue(now: number): boolean {
    return this.#state === 'open' && now >= this.#openUntil;
  }

  /** A probe is on its way. */
  probe(): void {
    this.#change('half-open');
  }

  /** A call was answered: of a probe, or while it was closed. What was called before it opened proves nothing. */
  succeed(now: number, isProbe = false): void {
    if (this.#state === 'closed') {
      this.#inARow = 0;
      this.#count(now, 0);
    } else if (isProbe) this.reset();
  }

  /** A call has met a fault of the server or of the way to it. */
  fail(now: number, problem: string, isProbe = false): void {
    if (isProbe && this.#state === 'half-open') {
      this.#open(now, problem);
      return;
    }
    if (this.#state !== 'closed') return;
    if (this.#inARow === 0) this.#firstFailure = now;
    this.#inARow += 1;
    this.#count(now, 1);
    if ((this.#inARow >= FAILURES && now - this.#firstFailure >= SPREAD) || this.#isShareTooLarge()) {
      this.#open(now, problem);
    }
  }

  /** The server is known to be there: all that was counted against it is forgotten. */
  reset(): void {
    this.#inARow = 0;
    this.#opened = 0;
    this.#calls.fill(0);
    this.#failures.fill(0);
    if (this.#state !== 'closed') this.#change('closed');
  }

  #open(now: number, problem: string): void {
    const openFor = (0.5 + this.#random() / 2) * Math.min(FIRST * 2 ** this.#opened, LONGEST);
    this.#opened += 1;
    this.#openUntil = now + openFor;
    this.#change('open', { problem, openFor });
  }

  #change(state: BreakerState, about: { problem?: string; openFor?: number } = {}): void {
    this.#state = state;
    this.#onChange(state, about);
  }

  #count(now: number, failures: number): void {
    const second = Math.floor(now / 1_000);
    const passed = Math.min(second - this.#second, SECONDS);
    for (let index = 1; index <= passed; index += 1) {
      const slot = (this.#second + index) % SECONDS;
      this.#calls[slot] = 0;
      this.#failures[slot] = 0;
    }
    // Clearing went through the seconds that follow the last one, of which the last ten are all there are.
    this.#second = Math.max(second, this.#second);
    const slot = this.#second % SECONDS;
    this.#calls[slot]! += 1;
    this.#failures[slot]! += failures;
  }

  #isShareTooLarge(): boolean {
    const calls = sum(this.#calls);
    return calls >= CALLS && sum(this.#failures) >= calls * SHARE;
  }
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
}
