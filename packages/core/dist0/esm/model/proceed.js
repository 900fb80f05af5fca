import { isPromise } from './is-promise.js';
import { Later } from './later.js';
/** Goes on with a value at once, or when it arrives, and with its failure where there is a way: no promise where none is needed. */
export function proceed(value, next, recover) {
    if (value instanceof Later)
        return value.proceed(next, recover);
    return isPromise(value) ? Promise.resolve(value).then(next, recover) : next(value);
}
//# sourceMappingURL=proceed.js.map