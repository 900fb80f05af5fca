import { createLimiter, memoryStore } from '../../../core/src/index.js';
import { HOUR_MS } from '../../../core/src/model/usage.js';
import { limitersOf } from '../../../core/src/limiter/limiter-view.js';
import { exportUsage } from './export-usage.js';
import type { UsageRow } from './usage-row.js';
import { closeLater, START } from '../../../../test/support/export-scene.js';
import { usage } from '../index.js';

describe('exportUsage, as limiters come and go', () => {
  const tier = { key: (user: string) => user, algorithm: 'fixed-window', limit: 1_000, window: '1d' } as const;
  const counting = { ...tier, name: 'month', usage: usage() } as const;

  function later() {
    let now = START;
    const store = memoryStore({ clock: () => now });
    const rows: UsageRow[] = [];
    const running = exportUsage(store, { sink: (batch) => void rows.push(...batch) });
    closeLater(running);
    return { store, rows, running, advance: (milliseconds: number) => (now += milliseconds) };
  }

  it('exports a tier that counts only after the export has begun', async () => {
    const { store, rows, running, advance } = later();
    await running.run();

    await createLimiter<string>({ store, tiers: [counting] }).consume('ada', { cost: 3 });
    advance(2 * HOUR_MS);
    await running.run();

    expect(rows.map(({ tier: name, units }) => [name, units])).toEqual([['month', 3]]);
  });

  it('exports the hours of a tier that no limiter has any more', async () => {
    const { store, rows, running, advance } = later();
    const limiter = createLimiter<string>({ store, tiers: [counting] });
    await limiter.consume('ada', { cost: 3 });
    await limiter.close();
    const other = createLimiter<string>({ store, tiers: [{ ...tier, name: 'other' }] });
    advance(2 * HOUR_MS);
    await running.run();

    expect(rows.map(({ tier: name, units }) => [name, units])).toEqual([['month', 3]]);
    await other.close();
  });

  it('names the owner of a row by tier, partition, digest and the last label', async () => {
    const { store, rows, running, advance } = later();
    const limiter = createLimiter<{ organization: string; label?: string }>({
      store,
      partition: ({ organization }) => organization,
      tiers: [{ ...counting, key: () => 'root', label: (subject) => subject.label }],
    });
    await limiter.consume({ organization: 'acme', label: 'Acme' });
    await limiter.consume({ organization: 'initech', label: 'Initech' });
    await limiter.consume({ organization: 'acme', label: 'Acme Ltd' });
    await limiter.consume({ organization: 'acme' });
    advance(2 * HOUR_MS);
    await running.run();

    const [view] = limitersOf(store);
    const digest = view!.digestOf('root');
    const owners = rows.map(({ tier: name, partition, digest: own, label, units }) => [
      name,
      partition,
      own,
      label,
      units,
    ]);
    expect(owners).toEqual([
      ['month', view!.digestOf('initech'), digest, 'Initech', 1],
      ['month', view!.digestOf('acme'), digest, 'Acme Ltd', 3],
    ]);
  });

  it('refuses the name of a tier that begins as a digest does', () => {
    const name = 'customers-of-the-month:hour';

    const create = () => createLimiter<string>({ store: memoryStore(), tiers: [{ ...counting, name }] });

    expect(create).toThrow('the name of a tier with usage must not begin with 22 letters and a colon');
  });
});
