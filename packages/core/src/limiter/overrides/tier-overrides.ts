import type { OverrideEntry } from './override-entry.js';

/** The overrides of the tiers of one name. */
export class TierOverrides {
  readonly #entries = new Map<string, OverrideEntry>();
  #version = 0;

  /** Another one after each change. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): Iterable<OverrideEntry> {
    return this.#entries.values();
  }

  /** @param owner whose override it is */
  get(owner: string): OverrideEntry | undefined {
    return this.#entries.get(owner);
  }

  set(owner: string, entry: OverrideEntry): void {
    this.#entries.set(owner, entry);
    this.#version += 1;
  }

  delete(owner: string): boolean {
    this.#version += 1;
    return this.#entries.delete(owner);
  }
}
