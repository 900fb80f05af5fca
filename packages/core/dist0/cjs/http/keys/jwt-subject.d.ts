import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../model/maybe-promise.js';
import type { HttpRequest } from '../request.js';
import { type Otherwise } from './by.js';
export interface JwtSubjectOptions<S> extends Otherwise<S> {
    /**
     * Gives the claims of a token that your code has verified, or what `jwtVerify` of jose has made of it; undefined where
     * there is none, or none that is valid.
     *
     * @default `auth` or `user` of the request, where express-jwt, passport and @fastify/jwt leave them
     */
    from?: (subject: S) => MaybePromise<unknown>;
}
/**
 * Identifies by issuer and subject of a JSON Web Token that something before it has verified. Never reads a token: who
 * could have its `sub` believed unverified had any number of budgets, and those of others. Kind `jwt-subject`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export declare function byJwtSubject<S extends HttpRequest>(options?: JwtSubjectOptions<S>): (subject: S) => MaybePromise<Key>;
//# sourceMappingURL=jwt-subject.d.ts.map