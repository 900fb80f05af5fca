import { rowOf, type UsageRow } from '../../../packages/core/src/quotas/usage/usage-row.js';
import type { Fleet } from '../fleet.js';
import type { World } from '../world/world.js';
import { hoursAt, usageKeys } from './stored-quota.js';

/** Milliseconds in which half of the batches fail. */
const FAILING_MS = 5_000;
/** Milliseconds within which some process has exported an hour that is over. */
const EXPORTED_MS = 75_000;
const HOUR_MS = 3_600_000;

/** What an API of bills has stored: of each row that of the highest revision. */
export class Bills {
  readonly #world: World;
  readonly #rows = new Map<string, UsageRow>();

  constructor(world: World) {
    this.#world = world;
  }

  /** @throws for half of the batches at first, of which it has stored some */
  async put(rows: readonly UsageRow[]): Promise<void> {
    const { random, now } = this.#world;
    const fails = now < FAILING_MS && random.chance(0.5);
    const isStored = !fails || random.chance(0.5);
    await this.#wait();
    if (isStored) {
      for (const row of rows) {
        if ((this.#rows.get(row.id)?.revision ?? 0) <= row.revision) this.#rows.set(row.id, row);
      }
    }
    await this.#wait();
    if (fails) throw new Error('the API of bills fails');
  }

  /** Of hours that are over for a while, the bills are what Redis has counted. */
  check(fleet: Fleet): void {
    for (const { server, key } of usageKeys(fleet)) {
      const owner = key.slice(0, -':usage'.length);
      for (const [hour, units] of hoursAt(server, key)) {
        if ((hour + 1) * HOUR_MS + EXPORTED_MS > server.time() / 1e3) continue;
        const { id } = rowOf(owner, hour, { tier: '', digest: '', units, revision: 0 });
        const billed = this.#rows.get(id)?.units ?? 0;
        if (billed !== Math.max(0, units))
          this.#world.fail(`${owner}: ${billed} are billed of the hour ${hour}, and ${units} counted`);
      }
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#world.random.magnitude(1, 200)));
  }
}
