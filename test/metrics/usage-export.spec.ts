import { createLimiter, memoryStore } from '@sluice/core';
import { collectMetrics, type NumberPoint } from '@sluice/metrics';
import { exportUsage, usage } from '@sluice/quotas';

const HOUR = 3_600_000;

describe('The age of the export of usage', () => {
  let now = Date.UTC(2027, 0, 1);

  beforeEach(() => jest.spyOn(Date, 'now').mockImplementation(() => now));
  afterEach(() => jest.restoreAllMocks());

  it('grows while a sink fails since an hour has ended, also after a new start, and begins again when no row is due', async () => {
    let fails = true;
    const store = memoryStore({ clock: () => now });
    const metrics = collectMetrics({ stores: { main: store, other: memoryStore() } });
    const limiter = createLimiter({ store, name: 'month', key: () => 'all', limit: 9, window: '1h', usage: usage() });
    const sink = () => {
      if (fails) throw new Error('away');
    };
    const age = async () => (await metrics.points('sluice.usage.export.age')) as readonly NumberPoint[];
    const ageAfter = (hours: number) => [{ attributes: { 'sluice.store': 'main' }, value: hours * 3_600 }];
    const before = await age();

    const first = exportUsage(store, { sink });
    await first.run();
    await limiter.consume({});
    now += 3 * HOUR;
    await first.run();
    const failing = await age();
    await first.close();
    const second = exportUsage(store, { sink });
    await second.run();
    const restarted = await age();
    fails = false;
    await second.run();

    expect([before, failing, restarted, await age()]).toEqual([[], ageAfter(2), ageAfter(2), ageAfter(0)]);
    await second.close();
    metrics.stop();
  });

  it('is that of an hour that was exported before, and of a late refund, only since the last export', async () => {
    const store = memoryStore({ clock: () => now });
    const metrics = collectMetrics({ stores: { main: store } });
    const limiter = createLimiter({
      store,
      name: 'month',
      key: () => 'all',
      limit: 9,
      window: '30d',
      usage: usage(),
    });
    const [exported, decision] = [exportUsage(store, { sink: () => undefined }), await limiter.consume({})];
    now += 48 * HOUR;
    await exported.run();
    await limiter.refund(decision);
    now += HOUR / 2;
    const failing = exportUsage(store, { sink: () => Promise.reject(new Error('away')) });
    await failing.run();

    const [point] = (await metrics.points('sluice.usage.export.age')) as readonly NumberPoint[];
    expect(point!.value).toBe(1_800);
    await Promise.all([exported.close(), failing.close()]);
    metrics.stop();
  });
});
