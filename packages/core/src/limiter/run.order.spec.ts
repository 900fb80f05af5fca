import { memoryStore, type DecidingStore } from '../stores/memory/memory-store.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { RemoteStore } from '../../../../test/support/remote-store.js';
import type { Store } from '../stores/store.js';
import { createLimiter } from './limiter.js';
import type { Tier } from './tiers/tier.js';
import { run } from './run.js';

// Work begins in the order of its arrival, at the rate that the limits allow.

type Subject = { readonly user: string };

const ada: Subject = { user: 'ada' };
const key = ({ user }: Subject) => user;
const rate: Tier<Subject> = { name: 'rate', key, algorithm: 'token-bucket', limit: 100, window: '1s', burst: 10 };
const running: Tier<Subject> = { name: 'running', key, algorithm: 'concurrency', limit: 5 };
const pause: Tier<Subject> = { name: 'pause', key, algorithm: 'pause' };

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** By the timers, so that a test passes from one to the next. */
const clockOf = (now: () => number) => Object.assign(now, fakeClock());

const places: [name: string, newStore: () => Store][] = [
  ['in memory', () => memoryStore({ clock: () => Date.now() })],
  ['in a store that answers later', () => new RemoteStore(clockOf(() => performance.now()))],
];

describe.each(places)('run %s', (_place, newStore) => {
  function scene(...tiers: readonly Tier<Subject>[]) {
    const store = newStore();
    const limiter = createLimiter<Subject>({ store, tiers });
    const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
    const begun: number[] = [];
    const call = (number: number, takes = 3) =>
      run(
        limiter,
        ada,
        async () => {
          begun.push(number);
          await new Promise((resolve) => setTimeout(resolve, takes));
        },
        { wait: '30s' },
      );
    return { limiter, store, pass, begun, call };
  }

  const upTo = (size: number) => Array.from({ length: size }, (_, index) => index);

  it('begins 90 calls of 3 ms in the 800 ms in which 100 a second, 10 at once and 5 in parallel allow them', async () => {
    const { pass, begun, call } = scene(rate, running, pause);
    const calls = upTo(90).map((number) => call(number));

    await pass(880);

    expect(begun).toHaveLength(90);
    await Promise.all(calls);
  });

  it.each<[string, readonly Tier<Subject>[]]>([
    ['a rate and permits', [rate, running]],
    ['a rate', [rate]],
    ['permits', [running]],
  ])('begins in the order of arrival, with %s', async (_tiers, tiers) => {
    const { pass, begun, call } = scene(...tiers);
    const calls = upTo(60).map((number) => call(number));

    await pass(7);
    for (let number = 60; number < 120; number += 1) {
      calls.push(call(number));
      if (number % 3 === 0) await pass(1);
    }
    await pass(1_400);

    expect(begun).toEqual(upTo(120));
    await Promise.all(calls);
  });

  it('begins after work that was denied earlier, and leaves it the units of its own check meanwhile', async () => {
    const { limiter, pass, begun } = scene(rate);
    await limiter.consume(ada, { cost: 5 });
    const runs = [8, 1].map((cost) => run(limiter, ada, () => begun.push(cost), { cost, wait: '30s' }));

    await pass(10);
    const early = [...begun];
    await pass(26);
    const first = [...begun];
    await pass(80);

    expect([early, first, begun]).toEqual([[], [8], [8, 1]]);
    await Promise.all(runs);
  });

  it('leaves its line in time, although it was admitted once behind work that was denied', async () => {
    const { limiter, pass, begun } = scene(rate);
    await limiter.consume(ada, { cost: 9 });
    const first = run(limiter, ada, () => begun.push(10), { cost: 10, wait: '30s' });
    const settled = jest.fn();
    void run(limiter, ada, () => begun.push(1), { wait: '20ms' }).then(settled);

    await pass(25);
    const left = settled.mock.calls.map(([ran]: [unknown]) => ran);
    await pass(100);

    expect(left).toMatchObject([{ admitted: false, decision: { allowed: false } }]);
    await expect(first).resolves.toMatchObject({ admitted: true });
    expect(begun).toEqual([10]);
  });

  it('sends at most two checks for each piece of work, once one was denied', async () => {
    const { store, pass, begun, call } = scene({ ...rate, burst: 1 });
    const consume = jest.spyOn(store, 'consume');
    const calls = upTo(60).map((number) => call(number));

    await pass(700);

    expect(begun).toHaveLength(60);
    expect(consume.mock.calls.length).toBeLessThanOrEqual(60 + 2 * 60);
    await Promise.all(calls);
  });

  it('strikes a ban as often as work is denied, and not for the work behind it', async () => {
    const strikes: Tier<Subject> = {
      name: 'ban',
      key,
      algorithm: 'backoff',
      charge: 'denied',
      limit: 50,
      window: '1d',
      delays: ['1h'],
    };
    const { limiter, pass, begun, call } = scene({ ...rate, burst: 1 }, strikes);
    const calls = upTo(20).map((number) => call(number));

    await pass(300);

    expect(begun).toEqual(upTo(20));
    const [ban] = await limiter.inspect(ada, { tiers: ['ban'] });
    expect(ban!.outcome.remaining).toBeGreaterThanOrEqual(50 - 20);
    await Promise.all(calls);
  });

  it('sends the checks of 1 000 pieces of work together, where no limit is near', async () => {
    const { store, pass, begun, call } = scene({ ...rate, limit: 1e6, burst: 1e6 });
    // A limiter asks a memory store of this package by a method of its own.
    const consume = jest.spyOn(store as DecidingStore, 'decide' in store ? 'decide' : 'consume');
    const calls = upTo(1_000).map((number) => call(number, 0));

    // One turn of the event loop: each check is sent before an answer has come.
    await new Promise(setImmediate);

    expect(consume).toHaveBeenCalledTimes(1_000);
    await pass(5);
    expect(begun).toEqual(upTo(1_000));
    await Promise.all(calls);
  });
});
