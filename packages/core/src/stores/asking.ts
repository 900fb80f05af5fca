import type { Claim } from '../model/claim.js';
import { isPromise } from '../async/maybe-promise.js';
import { Deferred } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { chain } from '../async/chain.js';
import type { Answer } from './store.js';

/** Stands between a store and whoever asks it, and is shown each answer to a group of claims on its way. */
export interface Station {
  /** The answer that goes on. */
  pass(answer: Answer, group: readonly Claim[]): Answer;
  /** What is answered where the store could not; throws what is no answer. */
  recover(error: unknown, group: readonly Claim[]): MaybePromise<Answer>;
}

/**
 * A group of claims that waits for its answer. The stations on the way are known to it: to each of them an answer is one
 * call, with nothing made for it.
 */
export class Asking extends Deferred<Answer> {
  readonly group: readonly Claim[];
  /** Nothing is to be changed. */
  readonly peek: boolean;
  #nearest: Station | undefined;
  #next: Station | undefined;
  #told = false;

  constructor(group: readonly Claim[], peek: boolean) {
    super();
    this.group = group;
    this.peek = peek;
  }

  /** What whoever asks is told: the answer when it has passed one more station. */
  by(station: Station): Deferred<Answer> {
    // Whoever waits already is told what comes to it here, and what has arrived has passed the stations that it had.
    if (this.isAwaited || this.#told) return this.chain(...stepsOf(station, this.group));
    if (this.#nearest === undefined) this.#nearest = station;
    else if (this.#next === undefined) this.#next = station;
    else return this.chain(...stepsOf(station, this.group));
    return this;
  }

  override arrive(answer: Answer): void {
    if (this.#told) return;
    this.#told = true;
    this.#pass(answer, this.#nearest, this.#next);
  }

  override fail(error: unknown): void {
    if (this.#told) return;
    this.#told = true;
    this.#recover(error, this.#nearest, this.#next);
  }

  #pass(answer: Answer, nearest: Station | undefined, next: Station | undefined): void {
    let passed = answer;
    try {
      if (nearest) passed = nearest.pass(passed, this.group);
    } catch (error) {
      this.#recover(error, next, undefined);
      return;
    }
    if (next) this.#pass(passed, next, undefined);
    else super.arrive(passed);
  }

  #recover(reason: unknown, nearest: Station | undefined, next: Station | undefined): void {
    if (nearest === undefined) {
      super.fail(reason);
      return;
    }
    let answer: MaybePromise<Answer>;
    try {
      answer = nearest.recover(reason, this.group);
    } catch (other) {
      this.#recover(other, next, undefined);
      return;
    }
    if (!isPromise(answer)) this.#pass(answer, next, undefined);
    else
      answer.then(
        (each) => this.#pass(each, next, undefined),
        (other: unknown) => this.#recover(other, next, undefined),
      );
  }
}

/** An answer, when it has passed a station. */
export function passing(answer: MaybePromise<Answer>, group: readonly Claim[], station: Station): MaybePromise<Answer> {
  if (answer instanceof Asking && answer.group === group) return answer.by(station);
  return isPromise(answer) ? chain(answer, ...stepsOf(station, group)) : station.pass(answer, group);
}

function stepsOf(
  station: Station,
  group: readonly Claim[],
): [next: (answer: Answer) => Answer, recover: (error: unknown) => MaybePromise<Answer>] {
  return [(answer) => station.pass(answer, group), (error) => station.recover(error, group)];
}
