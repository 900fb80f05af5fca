import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../model/maybe-promise.js';
import { type HttpRequest } from '../request.js';
import { type Otherwise } from './by.js';
/**
 * Identifies by the session of express-session or @fastify/session. A session counts when the request itself brought
 * its id: one that was made for this very request would be a new budget for whoever sends no cookie. Sessions are free
 * to collect all the same: have a tier by IP beside it. Kind `session`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export declare function bySession<S extends HttpRequest>(options?: Otherwise<S>): (subject: S) => MaybePromise<Key>;
//# sourceMappingURL=session.d.ts.map