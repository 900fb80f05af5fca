// @sluice/overload refuses requests when a process is overloaded (docs/reference/shedder.md). Requests enter before
// their limits are checked. It imports @sluice/core and @sluice/http.
export { doorEvent, type DoorEvent, loadEvent, type LoadEvent, shedEvent, type ShedEvent } from './shed/shed-events.js';
export { shedder } from './shed/shedder.js';
export type { ShedderFeature } from './shed/shedder-feature.js';
export { sentTimes, type SentOptions } from './shed/sent-times.js';
export type { Priority, Shedder, ShedderOptions, Wish } from './shed/shedder-options.js';
