import { createHmac, hash } from 'node:crypto';

import { algorithmOf } from '../../algorithms/index.js';
import { BoundedCache } from '../../cache/bounded-cache.js';
import { detachedCopy } from '../../cache/detached-copy.js';
import { identityText, type Key } from '../../model/identity.js';
import type { Policy } from '../../model/policy.js';

/** 132 bits, in an alphabet without meaning to Redis: no braces, no delimiters, no globs. */
const DIGEST_LENGTH = 22;
const LONE_SURROGATE = /\p{Surrogate}/u;
const MAX_CACHED_KEYS = 32_768;
/** The store key of a longer identity is not cached: clients choose the length. */
const MAX_CACHED_LENGTH = 256;

/** What all store keys of a tier have in common. */
export interface KeyParts {
  readonly prefix: string;
  /** Makes digests that cannot be guessed from outside (HMAC-SHA-256). Without it they are plain SHA-256. */
  readonly secret: string | undefined;
  /** The name of the tier. */
  readonly tier: string;
  /** See `keyShape`. */
  readonly shape: string;
}

/** The store keys of one tier: `<prefix>:{<tag>}:<tier>:<shape>`. They hold digests, never an identity. */
export class StoreKeys {
  readonly #parts: KeyParts;
  readonly #byText = new BoundedCache<string>(MAX_CACHED_KEYS);
  // Apart from texts, because a text may look like an identity.
  readonly #byIdentity = new BoundedCache<string>(MAX_CACHED_KEYS);

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  /** @param partition becomes the tag, so that all keys of a partition share a slot on a Cluster. @default the identity */
  keyOf(identity: Key, partition?: Key): string {
    const isText = typeof identity === 'string' && partition === undefined;
    const cache = isText ? this.#byText : this.#byIdentity;
    const name = isText ? identity : cacheName(identity, partition);
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    // One flat text: a store looks it up often.
    const key = detachedCopy(this.#make(identity, partition));
    if (name.length <= MAX_CACHED_LENGTH) cache.set(detachedCopy(name), key);
    return key;
  }

  #make(identity: Key, partition: Key | undefined): string {
    const { prefix, secret, tier, shape } = this.#parts;
    const digest = digestOf(identity, secret);
    const owner = partition === undefined ? `{${digest}}` : `{${digestOf(partition, secret)}}:${digest}`;
    return `${prefix}:${owner}:${tier}:${shape}`;
  }
}

/** Every length in the text of an identity is a number, so that the slash separates the two. */
function cacheName(identity: Key, partition: Key | undefined): string {
  return partition === undefined ? identityText(identity) : `${identityText(partition)}/${identityText(identity)}`;
}

/** The digest of an identity. Its length is fixed, whatever the identity is. */
export function digestOf(identity: Key, secret?: string): string {
  const text = identityText(identity);
  // UTF-8 cannot encode a lone surrogate: all of them would have one digest.
  const encodable = LONE_SURROGATE.test(text) ? JSON.stringify(text) : text;
  const digest =
    secret === undefined
      ? hash('sha256', encodable, 'base64url')
      : createHmac('sha256', secret).update(encodable).digest('base64url');
  return digest.slice(0, DIGEST_LENGTH);
}

/**
 * The end of a store key. It separates states that cannot be shared: two letters of the algorithm, and three characters
 * of a hash over all numbers that a state depends on.
 */
export function keyShape(policy: Policy): string {
  return algorithmOf(policy).code + hash('sha256', policy.dimensions, 'base64url').slice(0, 3);
}
