import { detachedCopy } from '../../cache/detached-copy.js';
import type { Identity } from '../../model/identity.js';

/**
 * An identity that many requests share. It remembers its store key in the tier that used it last, because a look-up of the
 * key by text takes a tenth of the time that a limiter in memory adds to a request.
 */
export class SharedIdentity implements Identity {
  readonly kind: string;
  readonly parts: readonly string[];
  #owner: object | undefined;
  #storeKey: string | undefined;

  constructor(kind: string, part: string) {
    this.kind = kind;
    this.parts = Object.freeze([detachedCopy(part)]);
    Object.freeze(this);
  }

  /** @param owner what all store keys of a tier have in common */
  storeKeyOf(owner: object): string | undefined {
    return this.#owner === owner ? this.#storeKey : undefined;
  }

  remember(owner: object, storeKey: string): void {
    this.#owner = owner;
    this.#storeKey = storeKey;
  }
}
