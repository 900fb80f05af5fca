import { createHmac, hash } from 'node:crypto';

import { algorithmOf } from '../../algorithms/index.js';
import { BoundedCache } from '../../cache/bounded-cache.js';
import { detachedCopy } from '../../cache/detached-copy.js';
import { identityText, type Key } from '../../model/identity.js';
import type { Policy } from '../../model/policy.js';

/** 132 bits, in an alphabet without meaning to Redis: no braces, no delimiters, no globs. */
const DIGEST_LENGTH = 22;
const MAX_CACHED_KEYS = 32_768;
/** The store key of a longer identity is not cached: clients choose the length. */
const MAX_CACHED_LENGTH = 256;
/** Look-ups after which the cache is judged by its hits. */
const TRIAL = 4 * MAX_CACHED_KEYS;
/** Look-ups without the cache, after a trial in which most have missed. */
const PAUSE = 16 * TRIAL;

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

/**
 * The store keys of one tier: `<prefix>:{<tag>}:<tier>:<shape>`. They hold digests, never an identity.
 *
 * A hit takes a tenth of the time of making a key, and a miss twice that time: the cache pauses while most look-ups
 * miss, as with a million identities (decision 21).
 */
export class StoreKeys {
  readonly #parts: KeyParts;
  readonly #byText = new BoundedCache<string>(MAX_CACHED_KEYS);
  // Apart from texts, because a text may look like an identity.
  readonly #byIdentity = new BoundedCache<string>(MAX_CACHED_KEYS);
  #lookups = 0;
  #hits = 0;

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  /** @param partition becomes the tag, so that all keys of a partition share a slot on a Cluster. @default the identity */
  keyOf(identity: Key, partition?: Key): string {
    if (this.#isPaused()) return this.#make(identity, partition);
    const isText = typeof identity === 'string' && partition === undefined;
    const cache = isText ? this.#byText : this.#byIdentity;
    const name = isText ? identity : cacheName(identity, partition);
    const cached = cache.get(name);
    if (cached !== undefined) {
      this.#hits += 1;
      return cached;
    }
    // One flat text: a store looks it up often.
    const key = detachedCopy(this.#make(identity, partition));
    if (name.length <= MAX_CACHED_LENGTH) cache.set(detachedCopy(name), key);
    return key;
  }

  #isPaused(): boolean {
    this.#lookups += 1;
    if (this.#lookups <= TRIAL) return false;
    const isOver = this.#hits >= TRIAL / 2 || this.#lookups > TRIAL + PAUSE;
    if (isOver) this.#lookups = this.#hits = 0;
    return !isOver;
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
  const encodable = text.isWellFormed() ? text : JSON.stringify(text);
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
