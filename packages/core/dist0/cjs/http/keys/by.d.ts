import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../model/maybe-promise.js';
import { type OptionReader } from '../../model/option-reader.js';
import type { HttpRequest } from '../request.js';
export interface Otherwise<S> {
    /**
     * Identifies a subject that has no such identity: a missing one is never "no limit".
     *
     * @default byIp()
     */
    otherwise?: (subject: S) => MaybePromise<Key>;
}
/**
 * Identifies by a text that a function reads, such as an account: `by('account', (request) => request.body?.email)`. What
 * is no text of 1 to 512 characters, and no whole number, is no identity, and `otherwise` is asked. Two spellings are two
 * identities: what your application takes for one, such as an address of e-mail in any case, has to come in one spelling.
 *
 * @param kind keeps these identities apart from all others
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
export declare function by<S extends HttpRequest>(kind: string, read: (subject: S) => MaybePromise<unknown>, options?: Otherwise<S>): (subject: S) => MaybePromise<Key>;
/** @throws ConfigError OPTION_INVALID */
export declare function otherwiseOf<S extends HttpRequest>(reader: OptionReader, options: Otherwise<S>): (subject: S) => MaybePromise<Key>;
/** The text that identifies, or undefined for what identifies nobody: clients send arrays and objects as well. */
export declare function textOf(value: unknown): string | undefined;
//# sourceMappingURL=by.d.ts.map