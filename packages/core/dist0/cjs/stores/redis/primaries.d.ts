import { Primary } from './primary.js';
import type { RedisClient } from './redis-client.js';
/** The servers that the calls of a client go to: one, or those of a Cluster by the slots they hold. */
export declare class Primaries {
    #private;
    constructor(client: RedisClient);
    /** The server that holds a key. A client that does not tell its slots is taken for one server. */
    of(key: string | undefined): Primary;
}
//# sourceMappingURL=primaries.d.ts.map