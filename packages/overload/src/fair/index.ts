// fair/ is the entry for the option `fair` of tiers: it shares a limit of running requests among clients
// (docs/reference/tiers.md). Waiting requests enter, and take turns by client. It imports no other room.
export type { Fair } from '@sluice/core/internal';
export { fair } from './fair.js';
export { fairBy, type FairOptions } from './fair-by.js';
