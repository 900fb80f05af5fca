// The entry point for limits of single identities: docs/reference/limiter.md. Programs without them do not load it.
export { overridesOf } from './overrides-of.js';
