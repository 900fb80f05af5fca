import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { UsageRow } from '@sluice/quotas';

/** Rows in a file, as sinks of several processes have stored them. */
export class LedgerFile {
  constructor(readonly path: string) {
    writeFileSync(path, '');
  }

  append(rows: readonly UsageRow[]): void {
    appendFileSync(this.path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }

  /** Of each row that of the highest revision, which counts. */
  rows(): readonly UsageRow[] {
    const rows = new Map<string, UsageRow>();
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      if (line === '') continue;
      const row = JSON.parse(line) as UsageRow;
      if ((rows.get(row.id)?.revision ?? 0) <= row.revision) rows.set(row.id, row);
    }
    return [...rows.values()];
  }

  /** Units by the digest of their identity. */
  units(): ReadonlyMap<string, number> {
    const units = new Map<string, number>();
    for (const row of this.rows()) units.set(row.digest, (units.get(row.digest) ?? 0) + row.units);
    return units;
  }
}
