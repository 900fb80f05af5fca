import type { UsageRow } from '@sluice/quotas';
import { HOUR_MS } from '../../../packages/core/src/model/usage.js';

/** Who has used units, as a bill names it. */
export interface Owner {
  readonly tier: string;
  /** The digest of the partition. */
  readonly partition: string | undefined;
  readonly digest: string;
  readonly label: string | undefined;
}

/** Units by the name of their tier, or owner, and the number of their hour. */
export type Units = Readonly<Record<string, number>>;

/** What sinks have stored: of each row that of the highest revision. */
export class Billed {
  readonly #rows = new Map<string, UsageRow>();

  put(rows: readonly UsageRow[]): void {
    for (const row of rows) if ((this.#rows.get(row.id)?.revision ?? 0) <= row.revision) this.#rows.set(row.id, row);
  }

  /** Two rows of one owner and hour are added, because a bill adds them. */
  get units(): Units {
    const units: Record<string, number> = {};
    for (const { tier, partition, digest, label, from, units: used } of this.#rows.values()) {
      add(units, { tier, partition, digest, label }, from / HOUR_MS, used);
    }
    return units;
  }
}

/** The same of what requests have kept. */
export function unitsOf(kept: ReadonlyMap<Owner, ReadonlyMap<number, number>>): Units {
  const units: Record<string, number> = {};
  for (const [owner, hours] of kept) for (const [hour, used] of hours) add(units, owner, hour, used);
  return units;
}

function add(units: Record<string, number>, owner: Owner, hour: number, used: number): void {
  const name = `${JSON.stringify(owner)} ${hour}`;
  if (used !== 0) units[name] = (units[name] ?? 0) + used;
}
