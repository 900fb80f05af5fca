// The entry point for the option `fair` of tiers: docs/reference/tiers.md. A program without it does not load it.
export type { Fair } from '@sluice/core/internal';
export { fair } from './fair.js';
export { fairBy, type FairOptions } from './fair-by.js';
