// async/ lets an answer be a value or a promise, without a promise for each layer, and listens to an end once for all
// that wait for it. Answers of stores, results of user functions and sockets enter. It imports no other room.

/** A value, or a promise of it. `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;
