// keys/ makes the store keys of identities. What a key function has returned enters, and the digests and texts of keys
// leave. It imports model, async, cache, events and the interface of stores.
import { createHmac, hash } from 'node:crypto';

import { BoundedCache } from '../../cache/bounded-cache.js';
import { detachedCopy } from '../../cache/detached-copy.js';
import type { Identity, Key } from '../../model/identity.js';
import { IdentityDigest } from '../../model/identity-digest.js';
import type { Policy } from '../../model/policy.js';
import { AddressCheck } from './address-check.js';
import { type KeyedIdentity, StoredIdentity, type StoredKey } from './stored-identity.js';

/** 132 bits, in an alphabet that has no braces, delimiters or globs, which would have a meaning to Redis. */
const DIGEST_LENGTH = 22;
/** More than a memory store has keys by default: beyond them most checks make a digest. */
const MAX_CACHED_KEYS = 131_072;
/** The store key of a longer identity is not cached, because clients choose its length. */
const MAX_CACHED_LENGTH = 256;
/** The kind of identities that are plain texts. */
const PLAIN = 'key';
/** Look-ups after which the cache is judged by its hits. */
const TRIAL = 2 * MAX_CACHED_KEYS;
/** Look-ups without the cache, after a trial in which most have missed. */
const PAUSE = 8 * TRIAL;

type Stored = StoredIdentity<KeyParts>;

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
  /** What the first identity begins with. Most tiers have one kind of identities, which differ in their last parts. */
  #start: Identity | undefined;
  readonly #byLastPart = new BoundedCache<Stored>(MAX_CACHED_KEYS);
  // Apart from last parts, because one may look like an identity.
  readonly #byIdentity = new BoundedCache<Stored>(MAX_CACHED_KEYS);
  readonly #addressCheck = new AddressCheck();
  #misses = 0;
  #hits = 0;
  /** Look-ups that pass the cache by. */
  #pause = 0;

  constructor(parts: KeyParts) {
    // A copy, because identities know their keys by it.
    this.#parts = { ...parts };
  }

  get prefix(): string {
    return this.#parts.prefix;
  }

  /** What follows the digest in the store keys of identities without a partition. */
  get end(): string {
    return `:${this.#parts.tier}:${this.#parts.shape}`;
  }

  /**
   * @param identity what a key function has returned
   * @param partition the text of an identity. It becomes the tag, so that all keys of a partition share a slot on a
   * Cluster. @default the identity
   * @returns undefined for a value that is no identity
   */
  keyOf(identity: unknown, partition?: string): string | undefined {
    const stored = this.#storedIn(identity, partition);
    // A stored identity of a partition has one key alone.
    const key = stored === undefined || partition !== undefined ? stored : this.storedKeyIn(stored);
    return key?.storeKey;
  }

  /** The store key of the digest of an identity. @param partition the digest of its partition. @default without partitions */
  keyOfDigest(digest: string, partition: string | undefined): string {
    const { prefix, tier, shape } = this.#parts;
    // The parts are joined to one flat text, because a store looks it up often.
    return [prefix, ownerText(digest, partition), tier, shape].join(':');
  }

  /** What remembers the store keys of an identity without a partition. Undefined for a value that is no identity. */
  storedOf(identity: unknown): Stored | undefined {
    return identity instanceof StoredIdentity ? (identity as Stored) : this.#storedIn(identity, undefined);
  }

  /** The store key of this tier. */
  storedKeyIn(stored: Stored): StoredKey<KeyParts> {
    return stored.storedKeyOf(this.#parts) ?? this.#makeShared(stored);
  }

  /** No cache holds the digest, because the identity remembers it. The tiers of a limit share one digest. */
  #makeShared(stored: Stored): StoredKey<KeyParts> {
    const { owner, storeKey } = stored;
    const isAlike = owner !== undefined && owner.secret === this.#parts.secret;
    // One of a text has the key of a tier of its own limiter from the beginning.
    const key = isAlike
      ? this.keyOfDigest(digestIn(storeKey, owner.tier), undefined)
      : this.#make(stored as KeyedIdentity<KeyParts>, undefined);
    return stored.remember(this.#parts, key);
  }

  #storedIn(identity: unknown, partition: string | undefined): Stored | undefined {
    if (identity instanceof StoredIdentity && partition === undefined) return identity as Stored;
    // A number is the identity of its text: databases return the ids of users as numbers.
    if (isWholeNumber(identity)) return this.#storedIn(String(identity), partition);
    const lastPart = partition === undefined ? this.#lastPartOf(identity) : undefined;
    const text = lastPart ?? identityText(identity);
    if (text === undefined)
      return identity instanceof IdentityDigest
        ? this.#storedBy(this.keyOfDigest(identity.digest, undefined))
        : undefined;
    if (this.#pause > 0) {
      this.#pause -= 1;
      return this.#storedBy(this.#make(identity as Key, partition));
    }
    const cache = lastPart === undefined ? this.#byIdentity : this.#byLastPart;
    // Every length in the text of an identity is a number, so that the slash separates the two.
    const name = partition === undefined ? text : `${partition}/${text}`;
    const cached = cache.get(name);
    if (cached !== undefined) {
      this.#hits += 1;
      return cached;
    }
    this.#countMiss();
    this.#addressCheck.inspect(identity as string | Identity);
    const stored = this.#storedBy(this.#make(identity as Key, partition));
    if (name.length <= MAX_CACHED_LENGTH) cache.set(detachedCopy(name), stored);
    return stored;
  }

  #storedBy(storeKey: string): Stored {
    const stored: Stored = new StoredIdentity();
    stored.remember(this.#parts, storeKey);
    return stored;
  }

  /**
   * The last part of an identity that begins as the first one does, else undefined. To look up the text of the whole
   * identity takes three times as long, because V8 joins a string before it hashes it.
   */
  #lastPartOf(identity: unknown): string | undefined {
    if (this.#start === undefined) {
      if (identityText(identity) === undefined) return undefined;
      this.#start = startOf(identity as string | Identity);
    }
    const { kind, parts } = this.#start;
    if (typeof identity === 'string')
      return kind === PLAIN && parts.length === 0 && identity !== '' ? identity : undefined;
    const given = identity as Partial<Identity> | null;
    if (typeof given !== 'object' || given?.kind !== kind || !Array.isArray(given.parts)) return undefined;
    if (given.parts.length !== parts.length + 1) return undefined;
    for (let index = 0; index < parts.length; index += 1) if (given.parts[index] !== parts[index]) return undefined;
    const last: unknown = given.parts[parts.length];
    return typeof last === 'string' && last !== '' ? last : undefined;
  }

  #countMiss(): void {
    this.#misses += 1;
    if (this.#hits + this.#misses < TRIAL) return;
    if (this.#hits < this.#misses) this.#pause = PAUSE;
    this.#hits = this.#misses = 0;
  }

  #make(identity: Key, partition: string | undefined): string {
    const { secret } = this.#parts;
    const digest = digestOf(identityText(identity), secret);
    return this.keyOfDigest(digest, partition === undefined ? undefined : digestOf(partition, secret));
  }
}

/** The part of a store key that says whose it is. @param partition the digest of its partition. @default without partitions */
export function ownerText(digest: string, partition: string | undefined): string {
  return partition === undefined ? `{${digest}}` : `{${partition}}:${digest}`;
}

/** The digest of the identity in a store key of a tier. */
export function digestIn(key: string, tier: string): string {
  // A shape has no colon.
  const owner = key.slice(0, key.lastIndexOf(`:${tier}:`));
  return owner.endsWith('}') ? owner.slice(-DIGEST_LENGTH - 1, -1) : owner.slice(-DIGEST_LENGTH);
}

/** An identity without its last part. */
function startOf(identity: string | Identity): Identity {
  if (typeof identity === 'string') return { kind: PLAIN, parts: [] };
  return { kind: identity.kind, parts: identity.parts.slice(0, -1) };
}

/**
 * A string that only equal identities share, because the length of each part precedes it. Undefined for a value that is
 * no identity: a non-empty text is one, a whole number, and a kind with at least one part.
 */
export function identityText(identity: Key): string;
export function identityText(value: unknown): string | undefined;
export function identityText(value: unknown): string | undefined {
  if (isWholeNumber(value)) return identityText(String(value));
  if (typeof value === 'string') return value === '' ? undefined : `${PLAIN.length}:${PLAIN}${value.length}:${value}`;
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, parts } = value as Partial<Identity>;
  if (typeof kind !== 'string' || kind === '' || !Array.isArray(parts) || parts.length === 0) return undefined;
  let text = `${kind.length}:${kind}`;
  for (const part of parts as readonly unknown[]) {
    if (typeof part !== 'string') return undefined;
    text += `${part.length}:${part}`;
  }
  return text;
}

function isWholeNumber(value: unknown): value is number | bigint {
  return (typeof value === 'number' && Number.isSafeInteger(value)) || typeof value === 'bigint';
}

/** The digest of the text of an identity. Its length is fixed, whatever the identity is. */
export function digestOf(text: string, secret?: string): string {
  // UTF-8 cannot encode a lone surrogate: all of them would have one digest. In UTF-16 the second byte is 0, and in
  // UTF-8 never, because such a string begins with a length.
  const encodable = text.isWellFormed() ? text : Buffer.from(text, 'utf16le');
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
  return policy.algorithm.code + hash('sha256', policy.dimensions, 'base64url').slice(0, 3);
}
