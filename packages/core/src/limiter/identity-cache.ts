import { identityText, type Identity, type Key } from '../model/identity.js';
import { Recent } from '../model/recent.js';
import { unshared } from '../model/unshared.js';

/** Applications have a few kinds; those of one that makes them up share what is left. */
const KINDS = 16;
/** Characters of the longest text that is remembered, so that nobody fills memory with long ones. */
const LONGEST = 256;
/** No identity has this kind. */
const ANY = '';

/**
 * Remembers something of the identities that came last. Nearly all have one part, by which they are found as it is: to
 * join text for each request takes longer than all else that is done with it.
 */
export class IdentityCache<Value> {
  readonly #size: number;
  readonly #byKind = new Map<string, Recent<Value>>();
  /** The kind that was asked for last: mostly they are all of one. */
  #kind: string | undefined;
  #values: Recent<Value> | undefined;

  /** @param size identities of a kind that it holds at most */
  constructor(size: number) {
    this.#size = size;
  }

  get(key: Key): Value | undefined {
    const kind = this.#kindOf(key);
    return this.#valuesOf(kind)?.get(textOf(kind, key));
  }

  set(key: Key, value: Value): void {
    const kind = this.#kindOf(key);
    const text = textOf(kind, key);
    if (text.length > LONGEST) return;
    let values = this.#valuesOf(kind);
    if (values === undefined) {
      values = new Recent(this.#size);
      this.#byKind.set(unshared(kind), values);
    }
    values.set(unshared(text), value);
  }

  #valuesOf(kind: string): Recent<Value> | undefined {
    if (kind === this.#kind) return this.#values;
    const values = this.#byKind.get(kind);
    if (values) [this.#kind, this.#values] = [kind, values];
    return values;
  }

  #kindOf(key: Key): string {
    const { kind, parts } = typeof key === 'string' ? PLAIN : key;
    return parts.length > 1 || (this.#byKind.size > KINDS && !this.#byKind.has(kind)) ? ANY : kind;
  }
}

/** What text alone is an identity of. */
const PLAIN: Identity = { kind: 'key', parts: [''] };

/** Short enough to be kept. */
export function isShort(key: Key): boolean {
  return identityText(key).length <= LONGEST;
}

function textOf(kind: string, key: Key): string {
  if (kind === ANY) return identityText(key);
  return typeof key === 'string' ? key : key.parts[0]!;
}
