import { type Key } from '../model/identity.js';
import type { Policy } from '../model/policy.js';
/** Makes the keys that a store sees. Nothing that identifies anyone is in them. */
export declare class KeyMaker {
    #private;
    /** @param secret makes digests that cannot be guessed from outside (HMAC); without it they are plain hashes */
    constructor(prefix: string, secret: string | undefined);
    /** Fixed length, whatever the identity is. */
    digest(key: Key): string;
    /** `<prefix>:{<tag>}:<tier>:<shape>`; keys of one tag share a slot on a Cluster. */
    key(identity: string, partition: string | undefined, tier: string, shape: string): string;
}
/** What tells apart states that cannot be shared: two letters of the algorithm, and three of what state depends on. */
export declare function shapeOf(policy: Policy): string;
//# sourceMappingURL=key-maker.d.ts.map