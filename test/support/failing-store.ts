import {
  memoryStore,
  StoreError,
  type MaybePromise,
  type MemoryStore,
  type Store,
} from '../../packages/core/src/index.js';
import { sharedLayers, type AbleStore, type Answer, type Receipt } from '../../packages/core/src/own-store/index.js';

/** A way in which a store fails. */
export type Failure = () => MaybePromise<never>;

export const unavailable = new StoreError('STORE_UNAVAILABLE', 'Redis could not answer: no reply within 50 ms');

export const rejects =
  (error: unknown): Failure =>
  async () => {
    throw error;
  };

export const throws =
  (error: unknown): Failure =>
  () => {
    throw error;
  };

/** A foreign store that works by promise, until `failure` is set. */
export class FailingStore implements AbleStore {
  readonly layers = sharedLayers;
  /** Undefined while it works. */
  failure: Failure | undefined;
  calls = 0;
  readonly #store: MemoryStore;

  constructor(clock?: () => number) {
    this.#store = memoryStore(clock && { clock });
  }

  consume(...call: Parameters<Store['consume']>): MaybePromise<Answer> {
    return this.#call(() => this.#store.consume(...call));
  }

  peek(...call: Parameters<Store['peek']>): MaybePromise<Answer> {
    return this.#call(() => this.#store.peek(...call));
  }

  refund(...call: Parameters<Store['refund']>) {
    return this.#call(() => this.#store.refund(...call));
  }

  renew(receipts: readonly Receipt[]): MaybePromise<readonly (number | Error)[]> {
    return this.#call(() => this.#store.renew(receipts));
  }

  reset(...call: Parameters<Store['reset']>) {
    return this.#call(() => this.#store.reset(...call));
  }

  recorded(...call: Parameters<MemoryStore['recorded']>) {
    return this.#call(() => this.#store.recorded(...call));
  }

  close(): MaybePromise<void> {
    return this.#store.close();
  }

  #call<T>(act: () => MaybePromise<T>): MaybePromise<T> {
    this.calls += 1;
    if (this.failure) return this.failure();
    return Promise.resolve().then(act);
  }
}
