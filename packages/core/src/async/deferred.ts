import type { MaybePromise } from './maybe-promise.js';

type Settled = 'fulfilled' | 'rejected';

/** What a deferred passes its value or its error on to. It does not throw, so that all followers settle. */
type Follower = (state: Settled, result: unknown) => void;

/**
 * A promise that its owner settles. It runs the callbacks of `chain` synchronously. Several store wrappers handle each
 * answer: with native promises a check takes up to 24 % more CPU (docs/benchmarks/tricks.md).
 */
export class Deferred<T> implements Promise<T> {
  #state: 'pending' | Settled = 'pending';
  /** The value or the error. */
  #result: unknown;
  #follower: Follower | undefined;
  /** Rarely any, and an array for each deferred would cost as much as the deferred. */
  #moreFollowers: Follower[] | undefined;
  #promise: Promise<T> | undefined;

  get [Symbol.toStringTag](): string {
    return 'Deferred';
  }

  /** Settles this with a value, or as a promise settles. A settled deferred does not change. */
  resolve(value: MaybePromise<T>): void {
    if (!isPromise(value)) this.#settle('fulfilled', value);
    else
      value.then(
        (each) => this.#settle('fulfilled', each),
        (error: unknown) => this.reject(error),
      );
  }

  reject(reason: unknown): void {
    // A native promise, so that Node reports a rejection that nothing handles.
    if (this.#state === 'pending' && this.#follower === undefined) this.#promise = Promise.reject(reason);
    this.#settle('rejected', reason);
  }

  /** Like `then`, but the callbacks run in the turn in which this settles, or immediately if it has settled. */
  chain<R>(onValue: (value: T) => MaybePromise<R>, onError?: (error: unknown) => MaybePromise<R>): Deferred<R> {
    const chained = new Deferred<R>();
    this.followedBy((state, result) => {
      const callback = state === 'fulfilled' ? onValue : onError;
      if (callback === undefined) return chained.reject(result);
      try {
        chained.resolve(callback(result as never));
      } catch (error) {
        chained.reject(error);
      }
    });
    return chained;
  }

  /** Passes the result on in the turn in which this settles, or immediately if it has settled. */
  followedBy(follower: Follower): void {
    if (this.#state !== 'pending') {
      // The rejection is handled now.
      this.#promise?.catch(() => undefined);
      follower(this.#state, this.#result);
    } else if (this.#follower === undefined) this.#follower = follower;
    else (this.#moreFollowers ??= []).push(follower);
  }

  /** The native promise of this deferred. Every call returns the same promise. */
  promise(): Promise<T> {
    this.#promise ??= new Promise((resolve, reject) => void this.chain(resolve, reject));
    return this.#promise;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise has a `then`
  then<R = T, F = never>(
    onValue?: ((value: T) => R | PromiseLike<R>) | null,
    onError?: ((error: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    return this.promise().then(onValue, onError);
  }

  catch<F = never>(onError?: ((error: unknown) => F | PromiseLike<F>) | null): Promise<T | F> {
    return this.promise().catch(onError);
  }

  finally(onSettled?: (() => void) | null): Promise<T> {
    return this.promise().finally(onSettled);
  }

  #settle(state: Settled, result: unknown): void {
    if (this.#state !== 'pending') return;
    this.#state = state;
    this.#result = result;
    if (this.#follower) this.#follower(state, result);
    if (this.#moreFollowers) for (const each of this.#moreFollowers) each(state, result);
  }
}

/**
 * Applies a callback to a value: immediately if the value is there, and otherwise when it arrives. No promise is made
 * for a plain value.
 */
export function chain<T, R>(
  value: MaybePromise<T>,
  onValue: (value: T) => MaybePromise<R>,
  onError?: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  if (value instanceof Deferred) return value.chain(onValue, onError);
  return isPromise(value) ? Promise.resolve(value).then(onValue, onError) : onValue(value);
}

/** Like `chain`, but its result is a plain value or a native promise, as applications expect. */
export function chainToPromise<T, R>(value: MaybePromise<T>, onValue: (value: T) => R): MaybePromise<R> {
  if (!(value instanceof Deferred)) return chain(value, onValue);
  return new Promise((resolve, reject) => {
    value.followedBy((state, result) => {
      if (state === 'rejected') return reject(result);
      try {
        resolve(onValue(result as T));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** True for anything with a `then`, because promises of other libraries and realms are not `instanceof Promise`. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
