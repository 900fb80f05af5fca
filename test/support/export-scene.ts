import { createLimiter, memoryStore, type Limiter, type Store } from '../../packages/core/src/index.js';
import {
  exportUsage,
  usage,
  type UsageExport,
  type UsageExportOptions,
  type UsageRow,
} from '../../packages/quotas/src/index.js';

export const START = Date.UTC(2027, 0, 1);

interface ExportScene {
  readonly store: Store;
  readonly limiter: Limiter<string>;
  readonly running: UsageExport;
  /** Rows by their ids, as the sink has stored them. */
  readonly table: Map<string, UsageRow>;
  readonly batches: (readonly UsageRow[])[];
  readonly sink: (rows: readonly UsageRow[]) => void;
  readonly advance: (milliseconds: number) => number;
}

/** A limiter in memory on a clock, and an export of it into a table. The export is closed after the test. */
export function exportScene(options: Partial<UsageExportOptions> = {}, clock?: () => number): ExportScene {
  let now = START;
  const store = memoryStore({ clock: clock ?? (() => now) });
  const tier = { key: (user: string) => user, algorithm: 'fixed-window', limit: 1_000, window: '1d' } as const;
  const limiter = createLimiter<string>({ store, tiers: [{ ...tier, name: 'day', usage: usage() }] });
  const table = new Map<string, UsageRow>();
  const batches: (readonly UsageRow[])[] = [];
  const sink = (rows: readonly UsageRow[]) => {
    batches.push(rows);
    for (const row of rows) table.set(row.id, row);
  };
  const running = closeLater(exportUsage(store, { sink, ...options }));
  const advance = (milliseconds: number) => (now += milliseconds);
  return { store, limiter, running, table, batches, sink, advance };
}

const opened: UsageExport[] = [];

/** The same export, which is closed after the test. */
export function closeLater(running: UsageExport): UsageExport {
  opened.push(running);
  return running;
}

afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));
