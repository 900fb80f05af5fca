// overrides/ is the entry for limits of single identities (docs/reference/limiter.md). Overrides and the claims of a
// request enter. It imports no other room.
export type { Override } from '@sluice/core/internal';
export type { OverrideChanges, OverrideOptions, Overrides } from './overrides.js';
export { overridesOf } from './overrides-of.js';
