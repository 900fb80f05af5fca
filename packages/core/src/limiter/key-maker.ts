import { createHmac, hash } from 'node:crypto';

import { algorithmOf } from '../algorithms/index.js';
import { identityText, type Key } from '../model/identity.js';
import type { Policy } from '../model/policy.js';

/** 132 bits, of an alphabet that means nothing to Redis: no braces, no delimiters, no globs. */
const DIGEST_LENGTH = 22;

/** Makes the keys that a store sees. Nothing that identifies anyone is in them. */
export class KeyMaker {
  readonly #prefix: string;
  readonly #secret: string | undefined;
  // The tiers of a request mostly ask for one identity, one after the other.
  #lastText = '';
  #lastDigest = '';

  /** @param secret makes digests that cannot be guessed from outside (HMAC); without it they are plain hashes */
  constructor(prefix: string, secret: string | undefined) {
    this.#prefix = prefix;
    this.#secret = secret;
  }

  /** Fixed length, whatever the identity is. */
  digest(key: Key): string {
    const text = identityText(key);
    if (text === this.#lastText) return this.#lastDigest;
    this.#lastText = text;
    this.#lastDigest = this.#hash(text).slice(0, DIGEST_LENGTH);
    return this.#lastDigest;
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
export function shapeOf(policy: Policy): string {
  return algorithmOf(policy).code + hash('sha256', policy.dimensions, 'base64url').slice(0, 3);
}
