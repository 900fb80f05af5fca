import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../model/maybe-promise.js';
import { type HttpRequest } from '../request.js';
import { type Otherwise } from './by.js';
/**
 * Identifies by a header that something in front of the application sets and that clients cannot set, such as the name
 * of a tenant. Kind `header`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
export declare function byHeader<S extends HttpRequest>(header: string, options?: Otherwise<S>): (subject: S) => MaybePromise<Key>;
/** @throws ConfigError KEY_INVALID for what no header can be called */
export declare function headerName(owner: string, header: unknown): string;
//# sourceMappingURL=header.d.ts.map