import { ConfigError } from '../../model/errors.js';
import { CheckQueue } from './check-queue.js';
import { Deadline } from './deadline.js';
import { RedisLink } from './redis-link.js';
import { SlotCalls } from './slot-calls.js';
// Per client and not per store: checks of all stores on one connection travel together, and stand or fall together.
const shared = new WeakMap();
/**
 * What stores ask of a client, the same for all of them.
 *
 * @param deadline milliseconds
 * @throws ConfigError where another store on this client has another deadline
 */
export function slotCalls(client, deadline) {
    const known = shared.get(client);
    if (known === undefined) {
        const link = new RedisLink(client, new Deadline(deadline));
        const isCluster = client.isCluster === true;
        const calls = new SlotCalls(link, new CheckQueue(link, isCluster), isCluster);
        shared.set(client, calls);
        return calls;
    }
    if (known.deadline === deadline)
        return known;
    throw new ConfigError('OPTION_INVALID', 'deadline', deadline, `redisStore: deadline must be the same for all stores on a client, for their checks share calls: it is ${known.deadline} ms there, got ${deadline}`);
}
//# sourceMappingURL=shared-link.js.map