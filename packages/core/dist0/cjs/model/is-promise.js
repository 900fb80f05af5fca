"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.isPromise = isPromise;
/** True for a promise, whoever made it: those of other libraries and realms are not `instanceof Promise`. */
function isPromise(value) {
    return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
//# sourceMappingURL=is-promise.js.map