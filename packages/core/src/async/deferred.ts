import { isPromise } from './maybe-promise.js';
import type { MaybePromise } from './maybe-promise.js';

/** Wants to be told what came. It throws nothing, for others may have to be told as well. */
interface Listener<T> {
  take(value: T): void;
  lose(error: unknown): void;
}

/**
 * A value that is on its way. Whoever goes on with it by `chain` does so in the turn in which it arrives: an answer
 * passes through several hands, and a promise for each would cost more than all that they do. To everybody else it is a
 * promise.
 */
export class Deferred<T> implements Promise<T> {
  #state: 'waiting' | 'arrived' | 'failed' = 'waiting';
  /** The value, or the error. */
  #came: unknown;
  #listener: Listener<T> | undefined;
  #promise: Promise<T> | undefined;

  get [Symbol.toStringTag](): string {
    return 'Deferred';
  }

  /** Somebody has asked to be told. */
  get isAwaited(): boolean {
    return this.#listener !== undefined || this.#promise !== undefined;
  }

  /** Once: what comes after the value or the failure is nothing. */
  arrive(value: T): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'arrived';
    this.#came = value;
    this.#listener?.take(value);
  }

  fail(reason: unknown): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'failed';
    this.#came = reason;
    if (this.#listener) this.#listener.lose(reason);
    // So that it is seen if nobody ever asks.
    else this.#promise = Promise.reject(reason);
  }

  /** What a step makes of the value when it arrives, and another one of its failure. */
  chain<R>(next: (value: T) => MaybePromise<R>, recover?: (error: unknown) => MaybePromise<R>): Deferred<R> {
    const step = new Step(next, recover);
    this.#tell(step);
    return step;
  }

  promise(): Promise<T> {
    this.#promise ??= new Promise((take, lose) => this.#tell({ take, lose }));
    return this.#promise;
  }

  /** A promise of what a step makes of the value, which it does in the turn in which that arrives. */
  promiseOf<R>(next: (value: T) => R): Promise<R> {
    return new Promise((take, lose) => this.#tell(new Last(next, take, lose)));
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise is awaited
  then<R = T, F = never>(
    next?: ((value: T) => R | PromiseLike<R>) | null,
    recover?: ((error: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    return this.promise().then(next, recover);
  }

  catch<F = never>(recover?: ((error: unknown) => F | PromiseLike<F>) | null): Promise<T | F> {
    return this.promise().catch(recover);
  }

  finally(end?: (() => void) | null): Promise<T> {
    return this.promise().finally(end);
  }

  #tell(listener: Listener<T>): void {
    if (this.#state === 'arrived') listener.take(this.#came as T);
    else if (this.#state === 'failed') {
      // Somebody has asked.
      this.#promise?.catch(() => undefined);
      listener.lose(this.#came);
    } else this.#listener = this.#listener ? new Both(this.#listener, listener) : listener;
  }
}

/** What becomes of a value on its way. */
class Step<V, T> extends Deferred<T> implements Listener<V> {
  readonly #next: (value: V) => MaybePromise<T>;
  readonly #recover: ((error: unknown) => MaybePromise<T>) | undefined;

  constructor(next: (value: V) => MaybePromise<T>, recover: ((error: unknown) => MaybePromise<T>) | undefined) {
    super();
    this.#next = next;
    this.#recover = recover;
  }

  take(value: V): void {
    this.#go(this.#next, value);
  }

  lose(error: unknown): void {
    if (this.#recover) this.#go(this.#recover, error);
    else this.fail(error);
  }

  #go<W>(step: (value: W) => MaybePromise<T>, value: W): void {
    let result: MaybePromise<T>;
    try {
      result = step(value);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (isPromise(result)) {
      result.then(
        (each) => this.arrive(each),
        (error: unknown) => this.fail(error),
      );
    } else this.arrive(result);
  }
}

/** A step that ends in a promise. */
class Last<V, T> implements Listener<V> {
  readonly #next: (value: V) => T;
  readonly #take: (value: T) => void;
  readonly lose: (error: unknown) => void;

  constructor(next: (value: V) => T, take: (value: T) => void, lose: (error: unknown) => void) {
    this.#next = next;
    this.#take = take;
    this.lose = lose;
  }

  take(value: V): void {
    try {
      this.#take(this.#next(value));
    } catch (error) {
      this.lose(error);
    }
  }
}

class Both<T> implements Listener<T> {
  readonly #first: Listener<T>;
  readonly #second: Listener<T>;

  constructor(first: Listener<T>, second: Listener<T>) {
    this.#first = first;
    this.#second = second;
  }

  take(value: T): void {
    this.#first.take(value);
    this.#second.take(value);
  }

  lose(error: unknown): void {
    this.#first.lose(error);
    this.#second.lose(error);
  }
}
