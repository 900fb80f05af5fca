import { fixedWindow } from './fixed-window/fixed-window.js';
import { leakyBucket } from './leaky-bucket/leaky-bucket.js';
import { multiWindow } from './multi-window/multi-window.js';
import { slidingWindowLog } from './sliding-window-log/sliding-window-log.js';
import { slidingWindow } from './sliding-window/sliding-window.js';
import { tokenBucket } from './token-bucket/token-bucket.js';
// The registry forgets which policy and which state belong to which algorithm; a policy carries its algorithm's name.
const registry = {
    'fixed-window': fixedWindow,
    'sliding-window': slidingWindow,
    'sliding-window-log': slidingWindowLog,
    'token-bucket': tokenBucket,
    'leaky-bucket': leakyBucket,
    'multi-window': multiWindow,
};
/** All algorithms by name. */
export const algorithms = registry;
/** The algorithm that a policy was made by. */
export function algorithmOf(policy) {
    return algorithms[policy.algorithm];
}
//# sourceMappingURL=index.js.map