import type { Outcome } from '../model/outcome.js';
import type { Listen } from './sleep.js';

/** What a check gets: a decision of a limiter, or an answer of a store. */
export interface Checked {
  readonly outcomes: readonly Outcome[];
}

/** Work that waits for its turn: a request, or work of `run`. */
export interface Work<T extends Checked> {
  /** Sends a check. @param isAlone no other check of this line is in flight, so that this one may wait elsewhere */
  readonly ask: (isAlone: boolean) => PromiseLike<T> | T;
  /** Milliseconds until a denied check may be sent again. Undefined for a denial that ends the wait. */
  readonly pauseAfter: (denial: T, wasAlone: boolean) => number | undefined;
  /** Gives back what a check was charged whose work has to wait, or has left. It does not fail. */
  readonly giveBack: (answer: T) => void;
  /** How long the work waits at most, in milliseconds. */
  readonly wait: number;
  /** Calls back when it waits no longer for another reason. */
  readonly onLeave: Listen;
  /** Whose turn it takes, where callers take turns. */
  readonly turn?: Turn | undefined;
  /** What it belongs to. Work of a limiter that closes leaves. */
  readonly owner?: object | undefined;
}

export interface Turn {
  readonly caller: string;
  readonly weight: number;
  /** Units that the work takes. */
  readonly cost: number;
}
