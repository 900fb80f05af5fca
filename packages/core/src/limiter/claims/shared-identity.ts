import { detachedCopy } from '../../cache/detached-copy.js';
import type { Identity } from '../../model/identity.js';

/** Tiers that count by one identity. More of them replace each other. */
const MAX_OTHERS = 7;

/**
 * An identity that many requests share. It remembers its store key in each tier, because a look-up of the key by text takes
 * a tenth of the time that a limiter in memory adds to a request.
 */
export class SharedIdentity<Owner extends object = object> implements Identity {
  readonly kind: string;
  readonly parts: readonly string[];
  /** Of the first tier, apart from the others: most limits have one. */
  #owner: Owner | undefined;
  #storeKey: string | undefined;
  #others: { readonly owner: Owner; readonly storeKey: string }[] | undefined;

  constructor(kind: string, part: string) {
    this.kind = kind;
    this.parts = Object.freeze([detachedCopy(part)]);
    Object.freeze(this);
  }

  /** @param owner what all store keys of a tier have in common */
  storeKeyOf(owner: Owner): string | undefined {
    if (this.#owner === owner) return this.#storeKey;
    const others = this.#others;
    if (others === undefined) return undefined;
    for (let index = 0; index < others.length; index += 1) {
      const other = others[index]!;
      if (other.owner === owner) return other.storeKey;
    }
    return undefined;
  }

  remember(owner: Owner, storeKey: string): void {
    if (this.#owner === undefined) {
      this.#owner = owner;
      this.#storeKey = storeKey;
      return;
    }
    this.#others ??= [];
    if (this.#others.length === MAX_OTHERS) this.#others.shift();
    this.#others.push({ owner, storeKey });
  }

  /** The tier that was first, and its store key. Undefined before. */
  first(): { readonly owner: Owner; readonly storeKey: string } | undefined {
    return this.#owner && { owner: this.#owner, storeKey: this.#storeKey! };
  }
}
