import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../model/maybe-promise.js';
import { type HttpRequest } from '../request.js';
import { type Otherwise } from './by.js';
export interface ApiKeyOptions<S> extends Otherwise<S> {
    /**
     * The header that the key comes in. Of `authorization` the scheme is left out, whatever it is and however it is spelt.
     *
     * @default 'x-api-key'
     */
    header?: string;
    /** The field of the query that the key comes in where the header has none. @default none */
    query?: string;
    /**
     * Reads the key, or better the account that it belongs to, where your own code has verified it. Instead of `header`
     * and `query`.
     */
    from?: (subject: S) => MaybePromise<unknown>;
}
/**
 * Identifies by an API key. A key that was presented and not verified is free to make up: have a tier by IP beside it.
 * Kind `api-key`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
export declare function byApiKey<S extends HttpRequest>(options?: ApiKeyOptions<S>): (subject: S) => MaybePromise<Key>;
//# sourceMappingURL=api-key.d.ts.map