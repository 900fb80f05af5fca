/** True for a promise, whoever made it: those of other libraries and realms are not `instanceof Promise`. */
export declare function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T>;
//# sourceMappingURL=is-promise.d.ts.map