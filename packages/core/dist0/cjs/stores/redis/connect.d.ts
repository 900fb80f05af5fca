import { OwnClient } from './own-client.js';
import { type RedisOptions } from './redis-options.js';
/**
 * Makes a client with the settings that a limiter needs, which connects at once.
 *
 * @throws ConfigError
 */
export declare function connect(options: RedisOptions): OwnClient;
//# sourceMappingURL=connect.d.ts.map