import { type Override, ownerText } from '@sluice/core/internal';

/** A bit for each beginning of a digest, in words of 32. */
const WORDS = 8_192;

/** Whose limit an override is. */
export type Owned = Pick<Override, 'tier' | 'digest' | 'partition'>;

/**
 * The overrides of the tiers of one name, by the owners in store keys. Four characters of its digest tell of most identities
 * that they have none: a look-up among 10 000 overrides takes up to four cache misses of the processor.
 */
export class OwnedOverrides {
  readonly #byOwner = new Map<string, Override>();
  /** The beginnings of the digests with an override. That of one that was removed stays. */
  readonly #begun = new Int32Array(WORDS);

  get size(): number {
    return this.#byOwner.size;
  }

  /** False for most identities without an override. @param start of the digest of the identity in a text */
  mayHave(text: string, start: number): boolean {
    const begun = beginningOf(text, start);
    return (this.#begun[wordOf(begun)]! & (1 << begun)) !== 0;
  }

  /** @param owner see `ownerText` */
  get(owner: string): Override | undefined {
    return this.#byOwner.get(owner);
  }

  find({ digest, partition }: Owned): Override | undefined {
    return this.#byOwner.get(ownerText(digest, partition));
  }

  add(override: Override): void {
    const { digest, partition } = override;
    this.#byOwner.set(ownerText(digest, partition), override);
    const begun = beginningOf(digest, 0);
    this.#begun[wordOf(begun)]! |= 1 << begun;
  }

  delete({ digest, partition }: Owned): void {
    this.#byOwner.delete(ownerText(digest, partition));
  }

  list(): readonly Override[] {
    return [...this.#byOwner.values()];
  }
}

/** A number of the first four characters of a digest: at most 31 bits. */
function beginningOf(text: string, start: number): number {
  const first = text.charCodeAt(start) * 127 + text.charCodeAt(start + 1);
  return first * 16_129 + text.charCodeAt(start + 2) * 127 + text.charCodeAt(start + 3);
}

function wordOf(begun: number): number {
  return (begun >> 5) & (WORDS - 1);
}
