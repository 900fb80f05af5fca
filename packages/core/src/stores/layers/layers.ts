// layers/ runs what lies between a limiter and its store: the claims of a request pass a list of layers down, and its
// answer passes it up. Claims enter, and an answer leaves. It imports what stores share, and neither a store nor a limiter.
import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import type { LayeredStore, RemoteStore } from '../store.js';
import type { Answer } from '../../model/answer.js';
import type { Charge, Layer, RequestFacts, Waiters } from '../layer.js';
import { LayeredCheck, type Way } from './layered-check.js';

/** A store behind layers. Each request passes them in their order, and an answer passes them in the other order. */
export class Layers implements LayeredStore {
  readonly #way: Way;

  /** @param layers the first one is the last that has the answer */
  constructor(store: LayeredStore & Partial<RemoteStore>, layers: readonly Layer[]) {
    this.#way = { layers, store };
  }

  /** Does the same as `consume`, and past all of this where there is no layer. */
  charge(): Charge {
    const way = this.#way;
    if (way.layers.length === 0) return (group) => way.store.consume(group);
    return (group, facts) => new LayeredCheck(way, group, facts).send();
  }

  consume(group: readonly Claim[], facts?: RequestFacts, waiters?: Waiters): MaybePromise<Answer> {
    const check = new LayeredCheck(this.#way, group, facts);
    check.waiters = waiters;
    return check.send();
  }

  peek(group: readonly Claim[]): MaybePromise<Answer> {
    const check = new LayeredCheck(this.#way, group);
    check.isPeek = true;
    return check.send();
  }

  refund(receipts: readonly Receipt[]): MaybePromise<number> {
    return this.#undo(0, receipts);
  }

  reset(keys: readonly string[]): MaybePromise<void> {
    return this.#forget(0, keys);
  }

  close(): MaybePromise<void> {
    return this.#close(0);
  }

  #undo(first: number, receipts: readonly Receipt[]): MaybePromise<number> {
    for (let at = first; at < this.#way.layers.length; at += 1) {
      const layer = this.#way.layers[at]!;
      if (layer.undo !== undefined) return layer.undo(receipts, (others) => this.#undo(at + 1, others));
    }
    return this.#way.store.refund(receipts);
  }

  #forget(first: number, keys: readonly string[]): MaybePromise<void> {
    for (let at = first; at < this.#way.layers.length; at += 1) {
      const layer = this.#way.layers[at]!;
      if (layer.forget !== undefined) return layer.forget(keys, () => this.#forget(at + 1, keys));
    }
    return this.#way.store.reset(keys);
  }

  #close(first: number): MaybePromise<void> {
    if (first === this.#way.layers.length) return this.#way.store.close();
    return chain(this.#way.layers[first]!.close?.(), () => this.#close(first + 1));
  }
}
