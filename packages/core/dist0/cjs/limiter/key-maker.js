"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.KeyMaker = void 0;
exports.shapeOf = shapeOf;
const node_crypto_1 = require("node:crypto");
const index_js_1 = require("../algorithms/index.js");
const identity_js_1 = require("../model/identity.js");
const identity_cache_js_1 = require("./identity-cache.js");
/** 132 bits, of an alphabet that means nothing to Redis: no braces, no delimiters, no globs. */
const DIGEST_LENGTH = 22;
const HALF_PAIR = /\p{Surrogate}/u;
/** Digests that are remembered: making one takes longer than all else that a decision in memory takes. */
const DIGESTS = 32_768;
// One for all limiters, for they all ask for the same clients.
const digestsBySecret = new Map();
function digestsOf(secret) {
    const digests = digestsBySecret.get(secret) ?? new identity_cache_js_1.IdentityCache(DIGESTS);
    digestsBySecret.set(secret, digests);
    return digests;
}
/** Makes the keys that a store sees. Nothing that identifies anyone is in them. */
class KeyMaker {
    #prefix;
    #secret;
    #digests;
    /** @param secret makes digests that cannot be guessed from outside (HMAC); without it they are plain hashes */
    constructor(prefix, secret) {
        this.#prefix = prefix;
        this.#secret = secret;
        this.#digests = digestsOf(secret);
    }
    /** Fixed length, whatever the identity is. */
    digest(key) {
        const known = this.#digests.get(key);
        if (known !== undefined)
            return known;
        const text = (0, identity_js_1.identityText)(key);
        // UTF-8 has no halves of surrogate pairs: written in it, all of them would be one identity.
        const digest = this.#hash(HALF_PAIR.test(text) ? JSON.stringify(text) : text).slice(0, DIGEST_LENGTH);
        this.#digests.set(key, digest);
        return digest;
    }
    #hash(text) {
        if (this.#secret === undefined)
            return (0, node_crypto_1.hash)('sha256', text, 'base64url');
        return (0, node_crypto_1.createHmac)('sha256', this.#secret).update(text).digest('base64url');
    }
    /** `<prefix>:{<tag>}:<tier>:<shape>`; keys of one tag share a slot on a Cluster. */
    key(identity, partition, tier, shape) {
        const owner = partition === undefined ? `{${identity}}` : `{${partition}}:${identity}`;
        return `${this.#prefix}:${owner}:${tier}:${shape}`;
    }
}
exports.KeyMaker = KeyMaker;
/** What tells apart states that cannot be shared: two letters of the algorithm, and three of what state depends on. */
function shapeOf(policy) {
    return (0, index_js_1.algorithmOf)(policy).code + (0, node_crypto_1.hash)('sha256', policy.dimensions, 'base64url').slice(0, 3);
}
//# sourceMappingURL=key-maker.js.map