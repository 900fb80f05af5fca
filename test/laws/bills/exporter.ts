import { createLimiter } from '@sluice/core';
import { collectMetrics } from '@sluice/metrics';
import { exportUsage, type UsageExportStatus, type UsageRow } from '@sluice/quotas';
import type { Place } from '../places.js';
import type { Billed } from './billed.js';

/** What happens to an export in its sink. `late`: the sink has stored what it fails to confirm. */
export type Fate = 'works' | 'fails' | 'late' | 'dies before' | 'dies after';

/** Longer than the lock of a process that has died. */
const LOCK_MS = 61_000;
/** Batches that a history has at most. */
const RUNS = 4;

/** A process that exports usage, and has no tier with usage itself. */
export class Exporter {
  readonly #place: Place;
  readonly #prefix: string;
  readonly #billed: Billed;

  constructor(place: Place, prefix: string, billed: Billed) {
    this.#place = place;
    this.#prefix = prefix;
    this.#billed = billed;
  }

  /** Starts, exports once and ends. A process that dies leaves its lock. */
  async run(fate: Fate): Promise<void> {
    const store = this.#open();
    let died!: () => void;
    const death = new Promise<void>((resolve) => (died = resolve));
    const sink = (rows: readonly UsageRow[]): unknown => {
      if (fate !== 'fails' && fate !== 'dies before') this.#billed.put(rows);
      if (fate === 'fails' || fate === 'late') throw new Error(fate);
      if (fate === 'works') return undefined;
      died();
      return new Promise(() => undefined);
    };
    const running = exportUsage(store, { sink, grace: '5m' });
    const isDead = await Promise.race([running.run().then(() => false), death.then(() => true)]);
    if (isDead) this.#place.clock.advance(LOCK_MS);
    else await running.close();
  }

  /** Exports until nothing is due, when all hours are over. */
  async finish(): Promise<UsageExportStatus> {
    this.#place.clock.advance(2 * 3_600_000);
    const running = exportUsage(this.#open(), { sink: (rows) => this.#billed.put(rows) });
    for (let run = 0; run < RUNS; run += 1) await running.run();
    await running.close();
    return running.status();
  }

  /** Seconds that the metric shows of a process whose sink fails, some time after its start. */
  async ageOfFailure(): Promise<number | undefined> {
    const store = this.#open();
    const metrics = collectMetrics({ stores: { main: store } });
    const running = exportUsage(store, {
      sink: () => {
        throw new Error('it has never worked');
      },
    });
    await running.run();
    const [point] = await metrics.points('sluice.usage.export.age');
    metrics.stop();
    await running.close();
    return point?.value as number | undefined;
  }

  #open() {
    const store = this.#place.newStore();
    createLimiter({ store, prefix: this.#prefix, name: 'of the exporter', key: () => 'all', limit: 9, window: '1h' });
    return store;
  }
}
