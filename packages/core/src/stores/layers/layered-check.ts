import { chain, type Deferred, isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import { lateMarks } from '../../model/notice.js';
import type { LayeredStore, PendingCheck, RemoteStore } from '../store.js';
import type { Answer } from '../../model/answer.js';
import type { Layer, Passage, RequestFacts, Waiters } from '../layer.js';
import type { Patience } from '../../model/patience.js';

/** The layers before a store, and the store. */
export interface Way {
  readonly layers: readonly Layer[];
  readonly store: LayeredStore & Partial<RemoteStore>;
}

/**
 * A request on its way through the layers before a store: down to the first that answers, or to the store, and with the answer
 * up again. It is all that the way allocates, and takes a promise only where a store or a layer does.
 */
export class LayeredCheck implements Passage, PendingCheck {
  readonly group: readonly Claim[];
  facts: RequestFacts | undefined;
  isPeek = false;
  readonly isPlain = false;
  answer: Deferred<Answer> | undefined;
  waiters: Waiters | undefined;
  readonly #way: Way;
  /** The layer that it has reached. */
  #at = 0;

  constructor(way: Way, group: readonly Claim[], facts?: RequestFacts) {
    this.group = group;
    this.facts = facts;
    this.#way = way;
  }

  get patience(): Patience | undefined {
    return this.facts?.patience;
  }

  /** Goes down. */
  send(): MaybePromise<Answer> {
    const { layers, store } = this.#way;
    try {
      for (; this.#at < layers.length; this.#at += 1) {
        const answer = layers[this.#at]!.before?.(this);
        if (answer !== undefined) return this.#upWith(answer);
      }
      if (store.send === undefined || this.isPeek) return this.#upWith(this.#ask());
    } catch (error) {
      return this.onError(error);
    }
    return store.send(this);
  }

  /** Goes up with an answer from below. */
  onAnswer(given: Answer): MaybePromise<Answer> {
    let answer = given;
    while (this.#at > 0) {
      this.#at -= 1;
      const layer = this.#way.layers[this.#at]!;
      if (layer.onAnswer === undefined) continue;
      try {
        answer = layer.onAnswer(this, answer);
      } catch (error) {
        return this.onError(error);
      }
    }
    return answer;
  }

  /** Goes up with an error from below, until a layer answers. @throws the error if none does */
  onError(given: unknown): MaybePromise<Answer> {
    let error = given;
    this.#awaitMarks();
    while (this.#at > 0) {
      this.#at -= 1;
      const layer = this.#way.layers[this.#at]!;
      if (layer.onError === undefined) continue;
      try {
        return this.#upWith(layer.onError(this, error));
      } catch (reason) {
        error = reason;
      }
    }
    throw error;
  }

  #ask(): MaybePromise<Answer> {
    const { store } = this.#way;
    return this.isPeek ? store.peek(this.group) : store.consume(this.group);
  }

  /** The reply of the store may still come. One that takes checks knows who hears of its marks. */
  #awaitMarks(): void {
    const onReached = this.#way.store.send === undefined ? this.facts?.onReached : undefined;
    if (onReached !== undefined) for (const claim of this.group) lateMarks.set(claim, onReached);
  }

  #upWith(answer: MaybePromise<Answer>): MaybePromise<Answer> {
    if (!isPromise(answer)) return this.onAnswer(answer);
    return chain(
      answer,
      (each) => this.onAnswer(each),
      (error) => this.onError(error),
    );
  }
}
