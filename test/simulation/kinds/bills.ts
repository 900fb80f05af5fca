import { rowOf, type UsageRow } from '../../../packages/quotas/src/usage/usage-row.js';
import { usageOwner } from '../../../packages/core/src/stores/usage-key.js';
import type { Fleet } from '../fleet.js';
import type { World } from '../world/world.js';
import type { Keyspace } from '../redis/keyspace.js';
import type { SimServer } from '../redis/sim-server.js';
import { hoursAt, isUsage, usageKeys, type StoredUnits } from './stored-quota.js';

/** Milliseconds in which half of the batches fail. */
const FAILING_MS = 5_000;
/** Milliseconds from the lock of an export to its last row, at most. */
const PASS_MS = 5_000;
/** Milliseconds within which some process has exported an hour that is over. */
const EXPORTED_MS = 75_000;
const BILLED = new Set(['month', 'credits']);
const HOUR_MS = 3_600_000;
const NONE: StoredUnits = { open: 0, exported: 0 };

/** What an API of bills has stored: of each row that of the highest revision. */
export class Bills {
  readonly #world: World;
  readonly #rows = new Map<string, UsageRow>();
  /** Rows with units that Redis has lost since then. */
  readonly #lost = new Set<UsageRow>();

  /** When they were stored, by their ids. */
  readonly #storedAt = new Map<string, number>();

  /** Whether clients are in partitions. */
  readonly #isPartitioned: boolean;

  constructor(world: World, isPartitioned: boolean) {
    this.#world = world;
    this.#isPartitioned = isPartitioned;
  }

  /** @throws for half of the batches at first, of which it has stored some */
  async put(rows: readonly UsageRow[]): Promise<void> {
    const { random, now } = this.#world;
    for (const { tier, partition } of rows) {
      if (!BILLED.has(tier)) this.#world.fail(`a row bills the tier ${tier}, which has no usage`);
      if ((partition !== undefined) !== this.#isPartitioned) this.#world.fail(`a row has the partition ${partition}`);
    }
    const fails = now < FAILING_MS && random.chance(0.5);
    const isStored = !fails || random.chance(0.5);
    const told = rows.map(
      ({ digest, tier, from, units, revision }) =>
        `${digest.slice(0, 4)} ${tier} ${from / HOUR_MS}: ${units} by ${revision}`,
    );
    this.#world.tell('BILLS', `${told.join('; ')}${isStored ? '' : ', not stored'}${fails ? ', fails' : ''}`);
    this.#checkRevisions(rows);
    await this.#wait();
    if (isStored) {
      for (const row of rows) {
        if ((this.#rows.get(row.id)?.revision ?? 0) > row.revision) continue;
        this.#rows.set(row.id, row);
        this.#storedAt.set(row.id, this.#world.now);
      }
    }
    await this.#wait();
    if (fails) throw new Error('the API of bills fails');
  }

  /** Before a server loses data: a row stays as it is whose units are lost, until its hour changes. */
  lose({ keyspace }: SimServer, left: Keyspace): void {
    for (const key of keyspace.keys().filter(isUsage)) {
      const after = hoursAt(left, key);
      for (const [hour, units] of hoursAt(keyspace, key)) {
        const row = this.#rows.get(idOf(key, hour));
        if (row === undefined || billOf(after.get(hour) ?? NONE) >= row.units) continue;
        // The mark of a row may be in flight.
        if (row.units === units.exported || row.units === billOf(units)) this.#lost.add(row);
      }
    }
  }

  /** Of hours that are over for a while, the bills are what Redis has counted. */
  check(fleet: Fleet): void {
    for (const { server, key } of usageKeys(fleet)) {
      for (const [hour, units] of hoursAt(server.keyspace, key)) {
        if ((hour + 1) * HOUR_MS + EXPORTED_MS > server.time() / 1e3) continue;
        const row = this.#rows.get(idOf(key, hour));
        const billed = row?.units ?? 0;
        // Where nothing is open, no export looks at the hour again.
        if (billed === billOf(units) || (units.open === 0 && row !== undefined && this.#lost.has(row))) continue;
        const { open, exported } = units;
        this.#world.fail(`${key}: ${billed} are billed of the hour ${hour}, and ${open + exported} counted`);
      }
    }
  }

  /** A revision rises from export to export, also where Redis has lost the last one. */
  #checkRevisions(rows: readonly UsageRow[]): void {
    for (const { id, revision } of rows) {
      const known = this.#rows.get(id);
      if (known === undefined || known.revision <= revision) continue;
      // Another process may have lost the lock while it has exported the row.
      if (this.#world.now - this.#storedAt.get(id)! < PASS_MS) continue;
      this.#world.fail(`a row of revision ${revision} comes behind ${known.revision}`);
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#world.random.magnitude(1, 200)));
  }
}

/** The id of the row of an hour. @param key of its usage */
function idOf(key: string, hour: number): string {
  const owner = usageOwner(key)!;
  return rowOf(owner.text, hour, { ...owner, source: undefined, label: undefined, units: 0, revision: 0 }).id;
}

/** A refund of units that Redis has lost leaves less than nothing. */
function billOf({ open, exported }: StoredUnits): number {
  return Math.max(0, open + exported);
}
