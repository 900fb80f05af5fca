/** A value, or a promise of it. `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;

/** True for anything with a `then`, because promises of other libraries and realms are not `instanceof Promise`. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
