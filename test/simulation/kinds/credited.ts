import type { World } from '../world/world.js';

/** Credits of one client, each by its id. A call that fails may have been counted. */
export class Credited {
  readonly #world: World;
  readonly #units: number;
  /** Whether Redis has surely counted an id. */
  readonly #ids = new Map<string, boolean>();

  /** @param units of each credit */
  constructor(world: World, units: number) {
    this.#world = world;
    this.#units = units;
  }

  /** Units that Redis has counted certainly. */
  get least(): number {
    return this.#units * [...this.#ids.values()].filter(Boolean).length;
  }

  /** Units that it may have counted. */
  get most(): number {
    return this.#units * this.#ids.size;
  }

  async credit(id: string, call: () => Promise<{ readonly balance: number }>): Promise<void> {
    this.#ids.set(id, this.#ids.get(id) ?? false);
    try {
      const { balance: left } = await call();
      this.#ids.set(id, true);
      if (left < 0 || left > this.most) this.#world.fail(`a balance holds ${left} of ${this.most} after a credit`);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== 'STORE_UNAVAILABLE') this.#world.fail(`a credit rejects: ${String(error)}`);
    }
  }
}
