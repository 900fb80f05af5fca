"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.foundState = foundState;
exports.isTold = isTold;
/**
 * The state that a script has found under a key, as the algorithm has it, of the one integer that tells it.
 *
 * @param now microseconds
 */
function foundState(policy, now, told) {
    switch (policy.algorithm) {
        case 'fixed-window':
            return windowOf(told, now, policy);
        case 'sliding-window':
            return ringOf(told, now, policy);
        default:
            return [now + told, 0];
    }
}
/** False where a window of so many units and milliseconds is more than an integer can tell. */
function isTold({ limit, window }) {
    return (limit + 1) * spanOf(window) <= Number.MAX_SAFE_INTEGER;
}
/** The count; or count * span + milliseconds left. */
function windowOf(told, now, { anchor, window }) {
    if (anchor === 'clock')
        return [told, (Math.floor(now / window) + 1) * window];
    const left = told % spanOf(window);
    return [(told - left) / spanOf(window), (Math.floor(now / 1e3) + left) * 1e3];
}
/** No window has as many milliseconds left. */
function spanOf(window) {
    return Math.ceil(window / 1e3) + 2;
}
/** older * 2^20 + newer, in the slot of now. */
function ringOf(told, now, { tick, slot }) {
    const newer = told % 2 ** 20;
    return [Math.floor(Math.floor(now / tick) / slot), newer, (told - newer) / 2 ** 20];
}
//# sourceMappingURL=found-state.js.map