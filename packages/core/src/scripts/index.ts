// scripts/ has the Lua that Redis runs, in scripts.ts, which is generated, and writes the script of a given policy.
// Policies enter, and texts of scripts leave for @sluice/redis. It imports model and algorithms.
export { LEFT_OVER, composeScript } from './compose.js';
export { emitterOf, replyWidthOf } from './emitters.js';
export { generalScript, unitScriptOf } from './general-scripts.js';
export type { CoveredPlaces } from './payment.js';
export type { Script } from './script.js';
export { scripts } from './scripts.js';
