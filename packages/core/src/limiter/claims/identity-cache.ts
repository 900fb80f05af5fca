import { identityText, type Key } from '../../model/identity.js';
import { BoundedCache } from '../../cache/bounded-cache.js';
import { detachedCopy } from '../../cache/detached-copy.js';

/** Applications have a few kinds; those of one that makes them up share what is left. */
const KINDS = 16;
/** Nearly all of several parts begin alike, as with the name of a header; where clients choose, the others share the rest. */
const LEADING = 2;
/** Characters of the longest text that is remembered, so that nobody fills memory with long ones. */
const LONGEST = 256;

/** Identities that differ in their last part alone. */
interface Shelf<Value> {
  readonly kind: string;
  readonly leading: readonly string[];
  readonly values: BoundedCache<Value>;
}

/**
 * Remembers something of the identities that came last. They are found by their last part as it is, on the shelf of all
 * that have the same kind and the same other parts, such as the name of a header: to join text for each request takes
 * longer than all else that is done with it.
 */
export class IdentityCache<Value> {
  readonly #size: number;
  /** Of identities of one part. */
  readonly #byKind = new Map<string, Shelf<Value>>();
  /** Of those of several, by the text of all but the last. */
  readonly #byLeading = new Map<string, Shelf<Value>>();
  readonly #others: BoundedCache<Value>;
  /** Where was looked last: mostly they are all on one. */
  #latest: Shelf<Value> | undefined;

  /** @param size identities of a shelf that it holds at most */
  constructor(size: number) {
    this.#size = size;
    this.#others = new BoundedCache(size);
  }

  get(key: Key): Value | undefined {
    const shelf = this.#shelfOf(key);
    if (shelf) return shelf.values.get(lastOf(key));
    return this.#others.get(identityText(key));
  }

  set(key: Key, value: Value): void {
    if (!isShort(key)) return;
    const shelf = this.#shelfOf(key) ?? this.#add(key);
    if (shelf) shelf.values.set(detachedCopy(lastOf(key)), value);
    else this.#others.set(detachedCopy(identityText(key)), value);
  }

  #shelfOf(key: Key): Shelf<Value> | undefined {
    if (this.#latest && isOn(this.#latest, key)) return this.#latest;
    const found = isOfOnePart(key) ? this.#byKind.get(kindOf(key)) : this.#byLeading.get(leadingText(key));
    if (found) this.#latest = found;
    return found;
  }

  /** A shelf of its own, while there are few. */
  #add(key: Key): Shelf<Value> | undefined {
    if (isOfOnePart(key) ? this.#byKind.size >= KINDS : this.#byLeading.size >= LEADING) return undefined;
    const leading = typeof key === 'string' ? [] : key.parts.slice(0, -1);
    const shelf = {
      kind: detachedCopy(kindOf(key)),
      leading: leading.map(detachedCopy),
      values: new BoundedCache<Value>(this.#size),
    };
    if (leading.length === 0) this.#byKind.set(shelf.kind, shelf);
    else this.#byLeading.set(leadingText(key), shelf);
    return shelf;
  }
}

/** Short enough to be kept. */
export function isShort(key: Key): boolean {
  if (typeof key === 'string') return key.length <= LONGEST;
  let length = key.kind.length;
  for (const part of key.parts) length += part.length;
  return length <= LONGEST;
}

/** What text alone is an identity of. */
const PLAIN = 'key';

function isOn(shelf: Shelf<unknown>, key: Key): boolean {
  const { kind, leading } = shelf;
  if (typeof key === 'string') return kind === PLAIN && leading.length === 0;
  if (key.kind !== kind || key.parts.length !== leading.length + 1) return false;
  for (let index = 0; index < leading.length; index += 1) if (key.parts[index] !== leading[index]) return false;
  return true;
}

function isOfOnePart(key: Key): boolean {
  return typeof key === 'string' || key.parts.length === 1;
}

function kindOf(key: Key): string {
  return typeof key === 'string' ? PLAIN : key.kind;
}

function lastOf(key: Key): string {
  return typeof key === 'string' ? key : key.parts.at(-1)!;
}

function leadingText(key: Key): string {
  return typeof key === 'string' ? '' : identityText({ kind: key.kind, parts: key.parts.slice(0, -1) });
}
