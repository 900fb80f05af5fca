/** Lines of waiting work, one for each key, in the order of arrival. */
export class Lines {
  readonly #lines = new Map<string, (() => void)[]>();

  isEmpty(key: string): boolean {
    return !this.#lines.has(key);
  }

  /** Resolves when all that have entered before have left. */
  async enter(key: string): Promise<void> {
    const line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, []);
    else await new Promise<void>((resolve) => void line.push(resolve));
  }

  leave(key: string): void {
    const next = this.#lines.get(key)!.shift();
    if (next) next();
    else this.#lines.delete(key);
  }
}
