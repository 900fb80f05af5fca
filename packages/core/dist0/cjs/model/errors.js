"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.StoreError = exports.UsageError = exports.ConfigError = exports.SluiceError = void 0;
exports.isSluiceError = isSluiceError;
/** Known to every copy of the package and in every realm, where neither class nor name says whose an error is. */
const BRAND = Symbol.for('sluice.error');
/** The base of every error that Sluice throws. A denial is an answer and never an error. */
class SluiceError extends Error {
    code;
    name = 'SluiceError';
    constructor(code, message, options) {
        super(message, options);
        this.code = code;
    }
    static {
        // On the prototype, so that nobody sees it who prints, copies or serializes an error.
        Object.defineProperty(this.prototype, BRAND, { value: true });
    }
}
exports.SluiceError = SluiceError;
/** An option that cannot work, found when a policy, a tier, a limiter or a store is made. */
class ConfigError extends SluiceError {
    option;
    value;
    name = 'ConfigError';
    constructor(code, 
    /** The option's name, with its path: `windows[1].limit`. */
    option, value, message, options) {
        super(code, message, options);
        this.option = option;
        this.value = value;
    }
}
exports.ConfigError = ConfigError;
/** A call that cannot be answered: a function of a tier threw or returned nonsense, or a cost is no integer. */
class UsageError extends SluiceError {
    name = 'UsageError';
}
exports.UsageError = UsageError;
/** The store could not answer. `cause` is what it said. */
class StoreError extends SluiceError {
    name = 'StoreError';
}
exports.StoreError = StoreError;
/** True for every error of Sluice, whichever copy of the package made it, in whichever realm. */
function isSluiceError(error) {
    return typeof error === 'object' && error !== null && BRAND in error;
}
//# sourceMappingURL=errors.js.map