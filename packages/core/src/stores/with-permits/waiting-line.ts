import { chain, Deferred } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Answer } from '../store.js';
import { claimsToWaitFor } from './permit-claims.js';

/** The first pause between two attempts, and the longest. Each is twice as long as the one before. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;

/** A request that waits for a permit. */
interface Waiter {
  readonly group: readonly Claim[];
  readonly answer: Deferred<Answer>;
  /** The latest denial. Undefined for a request that has only stood behind others. */
  denial: Answer | undefined;
  /** Ends its timer and its listener. */
  readonly leave: () => void;
}

interface LineContext {
  /** Decides a group. */
  readonly attempt: (group: readonly Claim[]) => MaybePromise<Answer>;
  /** The answer to a group that waits no longer. */
  readonly deny: (group: readonly Claim[], denial: Answer | undefined) => MaybePromise<Answer>;
  /** Gives back what a request was charged that waits no longer. */
  readonly giveBack: (answer: Answer) => void;
  readonly onEmpty: () => void;
}

/**
 * Requests that wait for a permit of one key, in the order of their arrival. Only the first of them asks the store: when a
 * permit of this process was released, and else after pauses.
 */
export class WaitingLine {
  readonly #context: LineContext;
  readonly #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE_MS;
  #isTrying = false;
  #wasWoken = false;

  constructor(context: LineContext) {
    this.#context = context;
  }

  get size(): number {
    return this.#waiters.length;
  }

  /** @param wait in milliseconds */
  join(group: readonly Claim[], denial: Answer | undefined, wait: number): Deferred<Answer> {
    const answer = new Deferred<Answer>();
    const onEnd = () => this.#giveUp(waiter);
    const timer = setTimeout(onEnd, wait);
    const signal = group.find((claim) => claim.signal)?.signal;
    signal?.addEventListener('abort', onEnd);
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onEnd);
    };
    const waiter: Waiter = { group, answer, denial, leave };
    this.#waiters.push(waiter);
    if (this.size === 1) this.#tryLater();
    return answer;
  }

  tryFirst(): void {
    const [first] = this.#waiters;
    if (first === undefined) return;
    if (this.#isTrying) {
      this.#wasWoken = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#isTrying = true;
    this.#wasWoken = false;
    const onAnswer = (answer: Answer) => this.#onAnswer(first, answer);
    const onError = (error: unknown) => this.#onError(first, error);
    try {
      void chain(this.#context.attempt(first.group), onAnswer, onError);
    } catch (error) {
      onError(error);
    }
  }

  /** Denies all that wait. */
  close(): void {
    for (const waiter of this.#waiters.toReversed()) this.#giveUp(waiter);
  }

  #onAnswer(waiter: Waiter, answer: Answer): void {
    this.#isTrying = false;
    if (!this.#waiters.includes(waiter)) {
      this.#context.giveBack(answer);
      this.tryFirst();
      return;
    }
    if (claimsToWaitFor(waiter.group, answer).length > 0) {
      waiter.denial = answer;
      if (this.#wasWoken) this.tryFirst();
      else this.#tryLater();
      return;
    }
    this.#pause = FIRST_PAUSE_MS;
    this.#remove(waiter);
    waiter.answer.resolve(answer);
    // There may be room for the next one too.
    this.tryFirst();
  }

  #onError(waiter: Waiter, error: unknown): void {
    this.#isTrying = false;
    this.#remove(waiter);
    waiter.answer.reject(error);
    this.tryFirst();
  }

  #giveUp(waiter: Waiter): void {
    const wasFirst = this.#waiters[0] === waiter;
    this.#remove(waiter);
    // A timer has no caller that could catch an error.
    const deny = async () => this.#context.deny(waiter.group, waiter.denial);
    waiter.answer.resolve(deny());
    if (wasFirst) this.tryFirst();
  }

  #remove(waiter: Waiter): void {
    waiter.leave();
    const place = this.#waiters.indexOf(waiter);
    if (place < 0) return;
    this.#waiters.splice(place, 1);
    if (this.size > 0) return;
    clearTimeout(this.#timer);
    this.#context.onEmpty();
  }

  /** The pause is random, so that processes do not ask at the same time. */
  #tryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.tryFirst(), this.#pause * (0.5 + Math.random() / 2)).unref();
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
  }
}
