import type { RedisClient } from './redis-client.js';
/** Looks whether the server forgets keys to make room, and warns: a key that is forgotten is a limit that is not kept. */
export declare function warnOfEviction(client: RedisClient): Promise<void>;
//# sourceMappingURL=eviction.d.ts.map