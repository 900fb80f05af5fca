/** A value, or a promise of it where something had to be waited for. `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;

/** True for anything with a `then`. Promises of other libraries and realms are not `instanceof Promise`. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
