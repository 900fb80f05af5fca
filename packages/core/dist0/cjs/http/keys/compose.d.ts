import { type Key } from '../../model/identity.js';
import type { MaybePromise } from '../../model/maybe-promise.js';
/**
 * Identifies by several identities together, such as address and account: each pair has a budget of its own. Kind
 * `composed`.
 *
 * @throws ConfigError KEY_INVALID
 */
export declare function compose<S>(...keys: readonly ((subject: S) => MaybePromise<Key>)[]): (subject: S) => MaybePromise<Key>;
//# sourceMappingURL=compose.d.ts.map