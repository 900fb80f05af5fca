/** A value, or a promise of it where something had to be waited for. `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;

/** True for a promise, whoever made it: those of other libraries and realms are not `instanceof Promise`. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Goes on with a value at once, or when it arrives: no promise where none is needed. */
export function proceed<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
