import type { SlotHint } from '../../stores/decided-rates.js';
import { detachedCopy } from '../../cache/detached-copy.js';
import type { Identity } from '../../model/identity.js';

/** The number of tiers whose keys one identity remembers. Further tiers replace each other. */
const MAX_TIERS = 8;

/** The store key of an identity in a tier. */
export interface StoredKey<Owner extends object = object> extends SlotHint {
  /** What all store keys of the tier have in common. */
  readonly owner: Owner | undefined;
  next: StoredKey<Owner> | undefined;
}

/**
 * What remembers the store keys of an identity: one in each tier, and the slot where a store in this process has found it. So
 * a request looks up its identity, and nothing else.
 *
 * It is the first stored key itself: one object less is one cache miss of the processor less with many clients.
 */
export class StoredIdentity<Owner extends object = object> implements StoredKey<Owner> {
  // Private, because an owner has a secret and applications log identities.
  #owner: Owner | undefined;
  #storeKey = '';
  #slot = 0;
  #next: StoredKey<Owner> | undefined;

  get owner(): Owner | undefined {
    return this.#owner;
  }

  get storeKey(): string {
    return this.#storeKey;
  }

  get slot(): number {
    return this.#slot;
  }

  set slot(slot: number) {
    this.#slot = slot;
  }

  get next(): StoredKey<Owner> | undefined {
    return this.#next;
  }

  /** Undefined before the key of the tier is remembered. */
  storedKeyOf(owner: Owner): StoredKey<Owner> | undefined {
    if (this.#owner === owner) return this;
    let stored = this.#next;
    while (stored !== undefined && stored.owner !== owner) stored = stored.next;
    return stored;
  }

  remember(owner: Owner, storeKey: string): StoredKey<Owner> {
    if (this.#owner === undefined) {
      this.#owner = owner;
      this.#storeKey = storeKey;
      return this;
    }
    const stored: StoredKey<Owner> = { owner, storeKey, slot: 0, next: undefined };
    let last = this.#next;
    if (last === undefined) {
      this.#next = stored;
      return stored;
    }
    let count = 2;
    for (; last.next !== undefined; count += 1) last = last.next;
    // Behind the others, so that tiers of a limit are found in their order.
    last.next = stored;
    if (count === MAX_TIERS) this.#next = this.#next!.next;
    return stored;
  }
}

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
