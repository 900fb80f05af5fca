// scripts/ has the Lua that Redis runs, in scripts.ts, which is generated, and writes the script of a given policy.
// Policies enter, and texts of scripts leave for @sluice/redis. It imports model and algorithms.
export { LEFT_OVER, composeScript } from './compose.js';
export { emitterOf, type ReplyShape, replyShapeOf } from './emitters.js';
export { generalScript } from './general-scripts.js';
export { coveredPlaces, type CoveredPlaces } from './payment.js';
export type { Script } from './script.js';
export { acts, scripts } from './scripts.js';
