/** True for a promise, whoever made it: those of other libraries and realms are not `instanceof Promise`. */
export function isPromise(value) {
    return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
//# sourceMappingURL=is-promise.js.map