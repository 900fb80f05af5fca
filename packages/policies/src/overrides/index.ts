// overrides/ is the entry for limits of single identities (docs/reference/limiter.md). Overrides and the claims of a
// request enter. It imports no other room.
export type { Override, OverrideChanges, OverrideOptions, Overrides } from '@sluice/core/internal';
export { overridesOf } from './overrides-of.js';
