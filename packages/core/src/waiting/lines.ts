import { Line, type Checked } from './line.js';

/** Lines by their keys. An empty one is dropped. */
export class Lines<T extends Checked> {
  readonly #isAdmitted: (answer: T) => boolean;
  readonly #lines = new Map<string, Line<T>>();

  constructor(isAdmitted: (answer: T) => boolean) {
    this.#isAdmitted = isAdmitted;
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  find(key: string): Line<T> | undefined {
    return this.#lines.get(key);
  }

  /** The line of a key, which work must enter immediately. @param most checks of it that may be in flight */
  open(key: string, most: number): Line<T> {
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    const line = new Line<T>({
      most,
      isAdmitted: this.#isAdmitted,
      onEmpty: () => void this.#lines.delete(key),
    });
    this.#lines.set(key, line);
    return line;
  }

  close(): void {
    for (const line of this.#lines.values()) line.close();
  }
}
