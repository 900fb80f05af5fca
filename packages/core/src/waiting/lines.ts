import { openFairLine } from './fair-lines.js';
import { Line, type Checked, type OpenLine } from './line.js';

/** Lines by their keys. An empty one is dropped. */
export class Lines<T extends Checked> {
  readonly #isAdmitted: (answer: T) => boolean;
  readonly #lines = new Map<string, OpenLine<T>>();

  constructor(isAdmitted: (answer: T) => boolean) {
    this.#isAdmitted = isAdmitted;
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  find(key: string): OpenLine<T> | undefined {
    return this.#lines.get(key);
  }

  /** The line of a key, which work must enter immediately. @param most checks of it that may be in flight */
  open(key: string, most: number): OpenLine<T> {
    const isAdmitted = this.#isAdmitted;
    return this.#lines.get(key) ?? this.#add(key, (onEmpty) => new Line<T>({ most, isAdmitted, onEmpty }));
  }

  /** The line of a key whose callers take turns. @param isCrowded the denial is for the share of a caller */
  openFair(key: string, isCrowded: (denial: T) => boolean): OpenLine<T> {
    const isAdmitted = this.#isAdmitted;
    return this.#lines.get(key) ?? this.#add(key, (onEmpty) => openFairLine<T>({ isAdmitted, isCrowded, onEmpty }));
  }

  close(): void {
    for (const line of this.#lines.values()) line.close();
  }

  #add(key: string, make: (onEmpty: () => void) => OpenLine<T>): OpenLine<T> {
    const line = make(() => void this.#lines.delete(key));
    this.#lines.set(key, line);
    return line;
  }
}
