const MAX_TEXTS_PER_KEY = 20;

/** The strings that requests have recorded with their keys, by slot. */
export class KeyTexts {
  readonly #texts = new Map<number, string[]>();
  /** A field, because each check reads it. */
  isEmpty = true;

  /** The newest twenty stay. */
  add(slot: number, text: string): void {
    const texts = this.#texts.get(slot) ?? [];
    texts.unshift(text);
    if (texts.length > MAX_TEXTS_PER_KEY) texts.pop();
    this.#texts.set(slot, texts);
    this.isEmpty = false;
  }

  drop(slot: number): void {
    if (this.isEmpty) return;
    this.#texts.delete(slot);
    this.isEmpty = this.#texts.size === 0;
  }

  /** Newest first. */
  of(slot: number): readonly string[] {
    return [...(this.#texts.get(slot) ?? [])];
  }
}
