import { detachedCopy } from '../../cache/detached-copy.js';
import type { Identity } from '../../model/identity.js';
import { StoredIdentity } from './stored-identity.js';

/**
 * An identity that many requests share. It remembers its store key in each tier itself, because a look-up of the key by text
 * takes a tenth of the time that a limiter in memory adds to a request.
 */
export class KeyedIdentity<Owner extends object = object> extends StoredIdentity<Owner> implements Identity {
  readonly kind: string;
  readonly parts: readonly string[];

  constructor(kind: string, part: string) {
    super();
    this.kind = kind;
    this.parts = Object.freeze([detachedCopy(part)]);
    Object.freeze(this);
  }
}
