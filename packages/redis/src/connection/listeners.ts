/** Functions that something calls back. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  /** Returns what ends the listening. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  call(): void {
    for (const listener of this.#listeners) listener();
  }
}
