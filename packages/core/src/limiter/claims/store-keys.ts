import { createHmac, hash } from 'node:crypto';

import { algorithmOf } from '../../algorithms/index.js';
import { identityText, type Key } from '../../model/identity.js';
import type { Policy } from '../../model/policy.js';
import { IdentityCache } from './identity-cache.js';

/** 132 bits, of an alphabet that means nothing to Redis: no braces, no delimiters, no globs. */
const DIGEST_LENGTH = 22;

const HALF_PAIR = /\p{Surrogate}/u;

/** Digests that are remembered at most. */
const DIGESTS = 32_768;

// One for all limiters, for they all ask for the same clients.
const digestsBySecret = new Map<string | undefined, IdentityCache<string>>();

function digestsOf(secret: string | undefined): IdentityCache<string> {
  const digests = digestsBySecret.get(secret) ?? new IdentityCache<string>(DIGESTS);
  digestsBySecret.set(secret, digests);
  return digests;
}

/** Makes the keys that a store sees. Nothing that identifies anyone is in them. */
export class StoreKeys {
  readonly #prefix: string;
  readonly #secret: string | undefined;
  readonly #digests: IdentityCache<string> | undefined;

  /**
   * @param secret makes digests that cannot be guessed from outside (HMAC); without it they are plain hashes
   * @param forgets whole keys are remembered elsewhere: to make a plain hash for a new one takes no longer than to look
   *   for it among so many
   */
  constructor(prefix: string, secret: string | undefined, { forgets = false } = {}) {
    this.#prefix = prefix;
    this.#secret = secret;
    this.#digests = forgets && secret === undefined ? undefined : digestsOf(secret);
  }

  /** Fixed length, whatever the identity is. */
  digest(key: Key): string {
    const known = this.#digests?.get(key);
    if (known !== undefined) return known;
    const text = identityText(key);
    // UTF-8 has no halves of surrogate pairs: written in it, all of them would be one identity.
    const digest = this.#hash(HALF_PAIR.test(text) ? JSON.stringify(text) : text).slice(0, DIGEST_LENGTH);
    this.#digests?.set(key, digest);
    return digest;
  }

  #hash(text: string): string {
    if (this.#secret === undefined) return hash('sha256', text, 'base64url');
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }

  /** `<prefix>:{<tag>}:<tier>:<shape>`; keys of one tag share a slot on a Cluster. */
  key(identity: string, partition: string | undefined, tier: string, shape: string): string {
    const owner = partition === undefined ? `{${identity}}` : `{${partition}}:${identity}`;
    return `${this.#prefix}:${owner}:${tier}:${shape}`;
  }
}

/** What tells apart states that cannot be shared: two letters of the algorithm, and three of what state depends on. */
export function keyShape(policy: Policy): string {
  return algorithmOf(policy).code + hash('sha256', policy.dimensions, 'base64url').slice(0, 3);
}
