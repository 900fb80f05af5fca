import { channels } from '../../core/src/events/channels.js';
import { createLimiter } from '../../core/src/limiter/limiter.js';
import { overridesOf } from '../../policies/src/overrides/overrides-of.js';
import { memoryStore } from '../../core/src/stores/memory/memory-store.js';
import { fakeClock } from '../../testing/src/clock.js';
import { FailingStore, rejects, unavailable } from '../../../test/support/failing-store.js';
import { collectMetrics, type Metrics, type MetricsOptions } from './metrics.js';
import type { InstrumentName } from './instruments.js';
import { balance, creditsOf } from '../../quotas/src/index.js';

const started: Metrics[] = [];

function collect(options?: MetricsOptions): Metrics {
  const metrics = collectMetrics(options);
  started.push(metrics);
  return metrics;
}

afterEach(() => {
  for (const metrics of started.splice(0)) metrics.stop();
});

/** The numbers of an instrument that are not 0, by their attributes. */
async function numbers(metrics: Metrics, name: InstrumentName): Promise<Record<string, unknown>> {
  const points = await metrics.points(name);
  const shown = points.filter(({ value }) => value !== 0);
  return Object.fromEntries(shown.map(({ attributes, value }) => [Object.values(attributes).join(' '), value]));
}

/** Policies that were refused three times. */
const policies = {
  status: () => ({ version: 7, checkedAt: Date.now() - 60_000, rejected: 3, problem: 'limits.yaml:1:1', overrides: 5 }),
};

describe('collectMetrics', () => {
  it('counts decisions, outcomes and units of each tier', async () => {
    const store = memoryStore();
    const metrics = collect({ stores: { main: store } });
    const key = ({ user }: { user: string }) => user;
    const limiter = createLimiter({
      store,
      tiers: [
        { name: 'hour', key, limit: 10, window: '1h' },
        { name: 'minute', key, limit: 5, window: '1m' },
        { name: 'trial', key, limit: 2, window: '1m', mode: 'shadow' },
      ],
    });

    for (let request = 0; request < 6; request += 1) await limiter.consume({ user: 'ada' });
    await limiter.consume({ user: 'ada' }, { cost: 11 });

    expect(await numbers(metrics, 'sluice.decisions')).toEqual({
      'ok memory': 5,
      'denied memory': 1,
      'never memory': 1,
    });
    expect(await numbers(metrics, 'sluice.tier.outcomes')).toEqual({
      'hour within false': 6,
      'hour never false': 1,
      'minute within false': 3,
      'minute near false': 2,
      'minute over false': 1,
      'minute never false': 1,
      'trial within true': 1,
      'trial near true': 1,
      'trial over true': 4,
      'trial never true': 1,
    });
    expect(await numbers(metrics, 'sluice.tier.units')).toEqual({ hour: 5, minute: 5, trial: 2 });
    expect(await numbers(metrics, 'sluice.tier.limit')).toEqual({ hour: 10, minute: 5, trial: 2 });
  });

  it('shows how many identities of a tier have an override', async () => {
    const store = memoryStore();
    const metrics = collect({ stores: { main: store } });
    const limiter = createLimiter({ store, name: 'hour', key: (user: string) => user, limit: 10, window: '1h' });

    const before = await numbers(metrics, 'sluice.tier.overrides');
    for (const identity of ['ada', 'grace']) {
      overridesOf(limiter).set({ tier: 'hour', identity, limit: 20, reason: 'ticket 4711' });
    }

    expect([before, await numbers(metrics, 'sluice.tier.overrides')]).toEqual([{}, { hour: 2 }]);
  });

  it('shows the units that requests hold, and counts those that had lapsed', async () => {
    const store = memoryStore();
    const metrics = collect({ stores: { main: store } });
    const limiter = createLimiter<object>({
      store,
      tiers: [
        { name: 'running', key: () => 'all', algorithm: 'concurrency', limit: 5 },
        { name: 'hour', key: () => 'all', limit: 10, window: '1h' },
      ],
    });
    const read = async () => [await metrics.points('sluice.permit.held'), await metrics.points('sluice.permit.lapsed')];
    const running = (value: number) => [{ attributes: { 'sluice.tier': 'running' }, value }];

    const before = await read();
    const decision = await limiter.consume({}, { cost: 2 });
    await limiter.consume({});
    channels.permitLapsed.publish({ tier: 'running', units: 2 });
    const during = await read();
    await limiter.release(decision);

    expect(before).toEqual([running(0), running(0)]);
    expect(during).toEqual([running(3), running(2)]);
    expect(await read()).toEqual([running(1), running(2)]);
  });

  it('counts what balances pay, from 0 on, and shows no limit of them', async () => {
    const store = memoryStore();
    const metrics = collect({ stores: { main: store } });
    const key = () => 'all';
    const month = { name: 'month', key, algorithm: 'fixed-window', limit: 2, window: '1d' } as const;
    const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) } as const;
    const limiter = createLimiter<object>({ store, tiers: [month, credits] });
    await creditsOf(limiter).credit({}, 9, { id: 'invoice 1' });
    const spent = (value: number) => [{ attributes: { 'sluice.tier': 'credits' }, value }];

    await limiter.consume({}, { cost: 2 });
    const before = await metrics.points('sluice.balance.spent');
    await limiter.settle(await limiter.consume({}, { cost: 3 }), 5);

    expect([before, await metrics.points('sluice.balance.spent')]).toEqual([spent(0), spent(5)]);
    expect(await numbers(metrics, 'sluice.tier.units')).toEqual({ month: 2, credits: 5 });
    expect(await numbers(metrics, 'sluice.tier.limit')).toEqual({ month: 2 });
  });

  it('counts what a balance has paid and where it was not needed, and never that it is near a limit', async () => {
    const store = memoryStore();
    const metrics = collect({ stores: { main: store } });
    const key = (user: string) => user;
    const month = { name: 'month', key, algorithm: 'fixed-window', limit: 10, window: '1d' } as const;
    const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) } as const;
    const limiter = createLimiter<string>({ store, tiers: [month, credits] });
    await creditsOf(limiter).credit('ada', 2, { id: 'invoice 1' });

    for (let request = 0; request < 11; request += 1) await limiter.consume('ada');
    // Has bought none.
    await limiter.consume('bob');

    expect(await numbers(metrics, 'sluice.tier.outcomes')).toEqual({
      'month within false': 8,
      // With the request in whose place the credits have paid.
      'month near false': 4,
      'credits paid false': 1,
      'credits not-needed false': 11,
    });
  });

  it('shows zeros of all tiers before the first decision', async () => {
    const store = memoryStore();
    createLimiter({ store, name: 'quiet', key: () => 'all', limit: 1, window: '1m' });

    const outcomes = await collect({ stores: { main: store } }).points('sluice.tier.outcomes');

    expect(outcomes.map(({ attributes, value }) => [attributes['sluice.outcome'], value])).toEqual([
      ['within', 0],
      ['near', 0],
      ['over', 0],
      ['never', 0],
    ]);
  });

  it('counts degraded operations, and the seconds in which there were any', async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation();
    let now = 0;
    const metrics = collect({ clock: () => now });
    const store = new FailingStore();
    store.failure = rejects(unavailable);
    const limiter = createLimiter({
      store,
      onStoreFailure: 'allow',
      name: 'api',
      key: () => 'all',
      limit: 1,
      window: '1m',
    });

    for (const time of [100, 900, 1_500, 7_000]) {
      now = time;
      await limiter.consume({});
    }
    await limiter.peek({});

    expect(await numbers(metrics, 'sluice.degraded.operations')).toEqual({
      'consume allow STORE_UNAVAILABLE': 4,
      'peek allow STORE_UNAVAILABLE': 1,
    });
    expect(await numbers(metrics, 'sluice.degraded.time')).toEqual({ '': 3 });
  });

  it('counts calls in buckets, and names no error that it does not know', async () => {
    const metrics = collect();

    channels.storeCall.publish({ duration: 1.5, groups: 3, outcome: 'answered' });
    channels.storeCall.publish({ duration: 50, groups: 32, outcome: 'late', problem: 'no reply within 50 ms' });
    channels.storeCall.publish({ duration: 1, groups: 1, outcome: 'failed', problem: 'OOM command not allowed' });
    channels.storeCall.publish({ duration: 1, groups: 1, outcome: 'failed', problem: 'connect 10.0.0.7:6379' });

    const durations = await metrics.points('sluice.call.duration');
    expect(durations.map(({ attributes, value }) => [Object.values(attributes).join(' '), value])).toEqual([
      ['answered', expect.objectContaining({ counts: [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], sum: 0.0015 })],
      ['failed _OTHER', expect.objectContaining({ counts: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] })],
      ['late', expect.objectContaining({ counts: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0] })],
      ['failed OOM', expect.objectContaining({ counts: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] })],
    ]);
    expect(await metrics.points('sluice.call.requests')).toEqual([
      { attributes: {}, value: expect.objectContaining({ counts: [0, 2, 0, 1, 0, 0, 0, 1, 0], sum: 37 }) },
    ]);
  });

  it('counts the waits in a queue', async () => {
    const metrics = collect();
    // The clock stands still, so the waits are 100 and 200 ms however late the requests are.
    const limiter = createLimiter({
      store: memoryStore({ clock: fakeClock() }),
      name: 'mail',
      key: () => 'all',
      algorithm: 'leaky-bucket',
      limit: 10,
      window: '1s',
      queue: 3,
    });

    for (let request = 0; request < 3; request += 1) await limiter.consume({});

    const [point] = await metrics.points('sluice.tier.delay');
    expect(point).toMatchObject({ attributes: { 'sluice.tier': 'mail' } });
    expect(point!.value).toMatchObject({ counts: [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0] });
  });

  it('counts what a settlement has charged', async () => {
    const metrics = collect();
    const limiter = createLimiter({ name: 'llm', key: () => 'all', limit: 100, window: '1m' });

    await limiter.settle(await limiter.consume({}, { cost: 10 }), 70);

    expect(await numbers(metrics, 'sluice.tier.units')).toEqual({ llm: 70 });
  });

  it('counts units that were given back', async () => {
    const metrics = collect();
    const limiter = createLimiter({ name: 'llm', key: () => 'all', limit: 100, window: '1m' });

    await limiter.settle(await limiter.consume({}, { cost: 40 }), 15);
    await limiter.refund(await limiter.consume({}, { cost: 5 }));

    expect(await numbers(metrics, 'sluice.refund.units')).toEqual({ '': 30 });
  });

  it('counts what is beyond 200 tiers together, and warns once', async () => {
    const emitted = jest.spyOn(process, 'emitWarning').mockImplementation();
    const metrics = collect();

    for (let route = 0; route < 205; route += 1) {
      await createLimiter({ name: `route-${route}`, key: () => 'all', limit: 1, window: '1m' }).consume({});
    }

    const units = await numbers(metrics, 'sluice.tier.units');
    expect(Object.keys(units)).toHaveLength(201);
    expect(units).toMatchObject({ 'route-199': 1, _other: 5 });
    expect(emitted.mock.calls.filter(([text]) => String(text).startsWith('collectMetrics'))).toHaveLength(1);
  });

  it('says what share of the denials an identity has, and never its name', async () => {
    const metrics = collect({ top: 2 });
    const limiter = createLimiter<{ user: string }>({ name: 'api', key: ({ user }) => user, limit: 1, window: '1m' });

    for (const user of ['ada', 'bob', 'cy']) await limiter.consume({ user });
    for (const user of ['ada', 'ada', 'ada', 'bob']) await limiter.consume({ user });

    expect(await metrics.points('sluice.top.share')).toEqual([
      { attributes: { 'sluice.tier': 'api', 'sluice.rank': '1' }, value: 0.75 },
      { attributes: { 'sluice.tier': 'api', 'sluice.rank': '2' }, value: 0.25 },
    ]);
  });

  it('looks at a watched identity every five seconds at most, and at nothing during an outage', async () => {
    let now = 0;
    const store = new FailingStore();
    const limiter = createLimiter({ store, name: 'api', key: () => 'partner', limit: 4, window: '1h' });
    const watch = [{ name: 'partner-a', limiter, identity: 'partner' }];
    const metrics = collect({ watch, clock: () => now });
    const used = () => numbers(metrics, 'sluice.watched.utilization');

    await limiter.consume({});
    expect(await used()).toEqual({ 'partner-a api': 0.25 });
    await limiter.consume({});
    expect(await used()).toEqual({ 'partner-a api': 0.25 });
    now = 5_000;
    expect(await used()).toEqual({ 'partner-a api': 0.5 });
    store.failure = rejects(unavailable);
    now = 10_000;
    expect(await used()).toEqual({});
  });

  it('warns of a watched identity that its limiter cannot inspect', async () => {
    const emitted = jest.spyOn(process, 'emitWarning').mockImplementation();
    const limiter = createLimiter({ name: 'api', key: () => 'partner', limit: 4, window: '1h' });
    const metrics = collect({ watch: [{ name: 'partner-a', limiter, identity: 'partner', tiers: ['hour'] }] });

    expect(await numbers(metrics, 'sluice.watched.utilization')).toEqual({});
    expect(emitted).toHaveBeenCalledWith(
      expect.stringMatching(/^collectMetrics: watch shows nothing of partner-a: inspect: .*hour/),
      expect.objectContaining({ code: 'SLUICE_NOT_WATCHED' }),
    );
  });

  it('counts for two readers, and stops for each alone', async () => {
    const [one, other] = [collect(), collect()];
    const limiter = createLimiter({ name: 'api', key: () => 'all', limit: 9, window: '1m' });

    await limiter.consume({});
    one.stop();
    await limiter.consume({});

    expect(await numbers(one, 'sluice.decisions')).toEqual({ 'ok memory': 1 });
    expect(await numbers(other, 'sluice.decisions')).toEqual({ 'ok memory': 2 });
  });

  it('has the instruments of its options only', () => {
    const limiter = createLimiter({ name: 'api', key: () => 'all', limit: 1, window: '1m' });
    const optional = (options?: MetricsOptions) => collect(options).instruments.flatMap(({ option = [] }) => option);

    expect(optional()).toEqual([]);
    expect(optional({ top: 1, watch: [{ name: 'one', limiter, identity: 'a' }] })).toEqual(['top', 'watch']);
    expect(new Set(optional({ policies: { limits: policies } }))).toEqual(new Set(['policies']));
  });

  it('shows the policies of a process', async () => {
    const metrics = collect({ policies: { limits: policies } });
    const names = ['version', 'outdated', 'rejected', 'overrides'] as const;

    const shown = await Promise.all(names.map((name) => numbers(metrics, `sluice.policies.${name}`)));

    expect(shown).toEqual([{ limits: 7 }, { limits: 1 }, { limits: 3 }, { limits: 5 }]);
    expect((await numbers(metrics, 'sluice.policies.age'))['limits']).toBeGreaterThanOrEqual(60);
  });
});
