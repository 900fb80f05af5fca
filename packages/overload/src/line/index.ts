// line/ is the entry for the option `line` of tiers: workers that share a key are told different moments
// (docs/reference/tiers.md). Denied claims enter, and moments leave. It imports no other room.
export { lines } from './lines.js';
export { line, type LineOption, type LineOptions } from './line.js';
export { lineEvent, type LineEvent } from './line-event.js';
