// The entry point for limits of single identities: docs/reference/limiter.md. Programs without them do not load it.
export type { Override, OverrideChanges, OverrideOptions, Overrides } from '@sluice/core/internal';
export { overridesOf } from './overrides-of.js';
