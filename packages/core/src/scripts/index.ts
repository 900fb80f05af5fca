// The Lua of core, and what makes the script of a policy. It changes without notice: programs import @sluice/redis.
export { LEFT_OVER, composeScript } from './compose.js';
export { emitterOf } from './emitters.js';
export { generalScript } from './general-scripts.js';
export type { CoveredPlaces } from './payment.js';
export type { Script } from './script.js';
export { scripts } from './scripts.js';
