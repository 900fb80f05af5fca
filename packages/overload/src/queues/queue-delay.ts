import { measure, readOptions } from '@sluice/core/internal';
import { loopWatch, type LoopClock } from '../shed/loop-watch.js';
import { AcquisitionQueue } from './acquisition-queue.js';
import { queueMeasures } from './queue-measures.js';
import { type QueueDelay, QUEUE_ROWS, type QueueOptions } from './queue-options.js';

/**
 * Measures the wait for something scarce, such as a connection to a database, and refuses acquisitions when it stands: sheddable
 * ones first, critical ones never.
 *
 * @param name of metrics, events and messages
 * @param clock that of a simulation. @default the event loop of this process
 * @throws ConfigError OPTION_INVALID
 * @example
 * const database = queueDelay('database');
 * const pool = database.watch(new Pool({ max: 10 }));
 * app.use(rateLimit({ limit: 100, window: '1m', shed: shedder({ features: [database] }) }));
 */
export function queueDelay(name: string, options: QueueOptions = {}, clock: LoopClock = loopWatch()): QueueDelay {
  const settings = readOptions('queueDelay', { ...(Object(options) as object), name }, QUEUE_ROWS);
  measure(queueMeasures);
  return new AcquisitionQueue({ ...settings, name }, clock);
}
