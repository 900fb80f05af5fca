import type { RedisClient } from './redis-client.js';
import { SlotCalls } from './slot-calls.js';
/**
 * What stores ask of a client, the same for all of them.
 *
 * @param deadline milliseconds
 * @throws ConfigError where another store on this client has another deadline
 */
export declare function slotCalls(client: RedisClient, deadline: number): SlotCalls;
//# sourceMappingURL=shared-link.d.ts.map