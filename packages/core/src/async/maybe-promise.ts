// async/ lets an answer be a value or a promise, without a promise for each layer. Answers of stores and results of
// user functions enter. It imports no other room.

/** A value, or a promise of it. `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;
