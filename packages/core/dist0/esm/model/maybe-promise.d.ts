/** A value, or a promise of it where something had to be waited for. `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;
//# sourceMappingURL=maybe-promise.d.ts.map