import type { ScriptCall } from './linked-call.js';
/**
 * A call that nobody waits for: the real script, for a server that answers PING may be read-only, full or a replica.
 *
 * @param key a key beside which the canary sits: with the same prefix, which may be all that we are allowed, and in the
 *   same slot
 */
export declare function canary(key: string, now: number): ScriptCall;
//# sourceMappingURL=canary.d.ts.map