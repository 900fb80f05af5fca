import { ConfigError } from '../../model/errors.js';
import { Batcher } from './batch/batcher.js';
import { Deadline } from './connection/deadline.js';
import type { RedisClient } from './client/redis-client.js';
import { Connection } from './connection/connection.js';
import { SlotCalls } from './slot-calls.js';

// Per client and not per store: checks of all stores on one connection travel together, and stand or fall together.
const shared = new WeakMap<RedisClient, SlotCalls>();

/**
 * What stores ask of a client, the same for all of them.
 *
 * @param deadline milliseconds
 * @throws ConfigError where another store on this client has another deadline
 */
export function slotCalls(client: RedisClient, deadline: number): SlotCalls {
  const known = shared.get(client);
  if (known === undefined) {
    const link = new Connection(client, new Deadline(deadline));
    const isCluster = client.isCluster === true;
    const calls = new SlotCalls(link, new Batcher(link, isCluster), isCluster);
    shared.set(client, calls);
    return calls;
  }
  if (known.deadline === deadline) return known;
  throw new ConfigError(
    'OPTION_INVALID',
    'deadline',
    deadline,
    `redisStore: deadline must be the same for all stores on a client, for their checks share calls: it is ${known.deadline} ms there, got ${deadline}`,
  );
}
