const MAX_TEXTS_PER_KEY = 20;

/** The strings that requests have recorded with their keys, by slot. */
export class KeyTexts {
  readonly #texts = new Map<number, string[]>();

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  /** The newest twenty stay. */
  add(slot: number, text: string): void {
    const texts = this.#texts.get(slot) ?? [];
    texts.unshift(text);
    if (texts.length > MAX_TEXTS_PER_KEY) texts.pop();
    this.#texts.set(slot, texts);
  }

  drop(slot: number): void {
    if (this.#texts.size > 0) this.#texts.delete(slot);
  }

  /** Newest first. */
  of(slot: number): readonly string[] {
    return [...(this.#texts.get(slot) ?? [])];
  }
}
