import { createLimiter } from '../limiter/limiter.js';
import type { Key } from '../model/identity.js';
import type { Inspection } from '../model/inspection.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { everyPolicy } from '../../../../test/support/claim.js';
import type { PolicyOptions } from '../algorithms/named/policy-options.js';
import { limitersOf } from '../limiter/limiter-view.js';
import { memoryStore } from './memory/memory-store.js';
import { sharedLayers } from './between-processes/shared-layers.js';
import type { AbleStore, Store } from './store.js';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

function scene(policy: PolicyOptions) {
  const clock = fakeClock(START);
  const store = memoryStore({ clock });
  const limiter = createLimiter<object>({ store, name: 'tier', key: () => 'ada', ...policy });
  return { clock, store, limiter };
}

interface Numbers {
  readonly cost?: number;
  readonly limit?: number;
}

async function inspect(store: Store, identity: Key = 'ada', { cost = 1, limit }: Numbers = {}): Promise<Inspection> {
  const [view] = limitersOf(store);
  const [inspection] = await view!.of(identity, { limit }).inspect({ cost });
  return inspection!;
}

describe('inspectionsOf', () => {
  it.each([7, 100].flatMap((limit) => everyPolicy(limit)))(
    'names the first millisecond at which a request fits a %s',
    async (_name, policy) => {
      const { clock, store, limiter } = scene(policy);
      while ((await limiter.consume({}, { cost: 3 })).allowed) clock.advance(0.7);
      const { fitsAt, isStored } = await inspect(store, 'ada', { cost: 3 });

      clock.advance(fitsAt - 1 - clock());
      const before = await limiter.peek({}, { cost: 3 });
      clock.advance(1);
      const then = await limiter.peek({}, { cost: 3 });

      expect([isStored, before.allowed, then.allowed]).toEqual([true, false, true]);
    },
  );

  it('counts in the window of a fixed window', async () => {
    const { store, limiter } = scene({ algorithm: 'fixed-window', limit: 10, window: '1m' });
    await limiter.consume({}, { cost: 4 });

    expect(await inspect(store)).toMatchObject({
      outcome: { remaining: 6 },
      fitsAt: START,
      terms: { form: 'window', units: 4, endsAt: START + MINUTE },
    });
  });

  it('counts the requests of a log, and when the oldest leaves', async () => {
    const { clock, store, limiter } = scene({ limit: 10, window: '1m' });
    await limiter.consume({}, { cost: 4 });
    clock.advance(1_000);
    await limiter.consume({}, { cost: 6 });

    expect(await inspect(store)).toMatchObject({
      fitsAt: START + MINUTE,
      terms: { form: 'log', units: 10, oldestLeavesAt: START + MINUTE },
    });
  });

  it('counts the share of the oldest slot', async () => {
    const { clock, store, limiter } = scene({ limit: 200, window: '1m' });
    await limiter.consume({}, { cost: 100 });
    clock.advance(MINUTE + 15_000);
    await limiter.consume({}, { cost: 25 });

    expect(await inspect(store, 'ada', { cost: 110 })).toMatchObject({
      outcome: { allowed: false, remaining: 100 },
      terms: {
        form: 'slots',
        windows: [{ limit: 200, window: MINUTE, slots: 1, oldest: 100, share: 0.75, newer: 25 }],
      },
    });
  });

  it('counts every slot of a strict window in full', async () => {
    const { clock, store, limiter } = scene({ limit: 200, window: '1m', strict: true, precision: 2 });
    await limiter.consume({}, { cost: 100 });
    clock.advance(MINUTE + 15_000);

    expect(await inspect(store)).toMatchObject({ terms: { windows: [{ slots: 2, oldest: 100, share: 1, newer: 0 }] } });
  });

  it('says of each window of several how long it denies', async () => {
    const windows = [
      { limit: 5, window: '1m' },
      { limit: 20, window: '1h' },
    ];
    const { store, limiter } = scene({ algorithm: 'multi-window', windows });
    await limiter.consume({}, { cost: 5 });

    expect(await inspect(store, 'ada', { cost: 5 })).toMatchObject({
      terms: {
        form: 'slots',
        windows: [
          { limit: 20, window: 60 * MINUTE, newer: 5, retryAfter: 0 },
          { limit: 5, window: MINUTE, newer: 5, retryAfter: 2 * MINUTE },
        ],
      },
    });
  });

  it('counts the tokens of a bucket, with the part that is being refilled', async () => {
    const { clock, store, limiter } = scene({ algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 });
    await limiter.consume({}, { cost: 10 });
    clock.advance(400);

    expect(await inspect(store)).toMatchObject({
      fitsAt: START + 1_000,
      terms: { form: 'bucket', tokens: expect.closeTo(0.4), capacity: 10, interval: 1_000, queued: false },
    });
  });

  it('counts the places of a queue', async () => {
    const { store, limiter } = scene({ algorithm: 'leaky-bucket', limit: 60, window: '1m', queue: 4 });
    for (let request = 0; request < 2; request += 1) await limiter.consume({});

    expect(await inspect(store)).toMatchObject({ terms: { form: 'bucket', tokens: 3, capacity: 5, queued: true } });
  });

  it('says of a key that is not stored that nothing is used', async () => {
    const { store, limiter } = scene({ limit: 10, window: '1m' });

    expect(limiter).toBeDefined();
    expect(await inspect(store, 'bob')).toMatchObject({ isStored: false, outcome: { remaining: 10 }, fitsAt: START });
  });

  it('never fits a cost above the limit, and a limit of 0', async () => {
    const { store, limiter } = scene({ limit: 10, window: '1m' });
    const dynamic = memoryStore();
    const zero = createLimiter<object>({
      store: dynamic,
      name: 'zero',
      key: () => 'ada',
      limit: () => 0,
      window: '1m',
    });

    expect([limiter, zero]).toBeDefined();
    expect(await inspect(store, 'ada', { cost: 11 })).toMatchObject({ fitsAt: Infinity, outcome: { never: true } });
    expect(await inspect(dynamic, 'ada', { limit: 0 })).toMatchObject({ fitsAt: Infinity, terms: undefined });
  });

  it('inspects and resets through the view', async () => {
    const { store, limiter } = scene({ limit: 10, window: '1m' });
    await limiter.consume({});
    const [view] = limitersOf(store);

    expect(await view!.of('ada').inspect()).toMatchObject([{ outcome: { remaining: 9 } }]);
    await view!.of('ada').reset();
    expect(await inspect(store)).toMatchObject({ isStored: false, recorded: [] });
  });

  it('takes what a store of an application answers, which shows no state', async () => {
    const clock = fakeClock(START);
    const inner = memoryStore({ clock });
    const store: AbleStore = {
      layers: sharedLayers,
      consume: (group) => inner.consume(group),
      peek: (group) => inner.peek(group),
      refund: (receipts) => inner.refund(receipts),
      reset: (keys) => inner.reset(keys),
      recorded: (key) => inner.recorded(key),
      close: () => inner.close(),
    };
    const tier = { name: 'tier', key: () => 'ada', limit: 1, window: '1m', record: () => 'a text' };
    const limiter = createLimiter<object>({ store, ...tier });
    const unused = await inspect(store);
    await limiter.consume({});
    const { fitsAt, readAt, ...used } = await inspect(store);

    expect(unused).toMatchObject({ isStored: false, outcome: { remaining: 1 }, fitsAt: unused.readAt });
    expect(used).toMatchObject({ isStored: true, outcome: { allowed: false }, terms: undefined, recorded: ['a text'] });
    expect(fitsAt - readAt).toBe(MINUTE);
    expect(await inspect(store, 'ada', { cost: 2 })).toMatchObject({ fitsAt: Infinity });
  });
});
