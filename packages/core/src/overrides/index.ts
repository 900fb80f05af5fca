// The entry point for limits of single identities: docs/reference/limiter.md. Programs without them do not load it.
export type { Override, OverrideChanges, OverrideOptions, Overrides } from '../model/override.js';
export { overridesOf } from './overrides-of.js';
