// queues/ is the entry for what waits behind an idle event loop: pools of connections, upstreams, deadlines and retries
// (docs/guide/overload-queues.md). Acquisitions enter, and wait for their turn or are refused. It imports shed.
export { deadline } from './deadline.js';
export { deadlineOf } from './deadline-of.js';
export { keptPriority, type KeptOptions } from './kept-priority.js';
export { onward } from './onward.js';
export { isOverloadError, OverloadError } from './overload-error.js';
export { queueDelay } from './queue-delay.js';
export type { QueueDelay, QueueOptions, WaitOptions } from './queue-options.js';
export { queueEvent, type QueueEvent, queueRefusalEvent, type QueueRefusalEvent } from './queue-events.js';
export { retryBudget, type RetryBudget, type RetryOptions } from './retry-budget.js';
