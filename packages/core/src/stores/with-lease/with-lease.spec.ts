import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import { subscribe } from '../../events/events.js';
import { changedTerms, chargedFor, type Claim } from '../../model/claim.js';
import { StoreError } from '../../model/errors.js';
import { claim as claimOf, type ClaimOptions } from '../../../../../test/support/claim.js';
import { RemoteStore, settled } from '../../../../../test/support/remote-store.js';
import { DenyCache } from '../between-processes/deny-cache.js';
import type { Answer } from '../../model/answer.js';
import { HotKeys } from './hot-keys.js';
import { behindLease } from '../../../../../test/support/layered-stores.js';

const hundred = { algorithm: 'fixed-window', limit: 100, window: '1h' } as const satisfies PolicyOptions;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
});

afterEach(() => {
  jest.useRealTimers();
});

function scene(options: ClaimOptions = {}, fetchFrom?: RemoteStore) {
  const store = new RemoteStore();
  const denials = new DenyCache(store.clock);
  const forget = jest.spyOn(denials, 'forget');
  const leased = behindLease(store, {
    fetchFrom: fetchFrom ?? store,
    denials,
    clock: store.clock,
    hotKeys: new HotKeys(1, 1),
  });
  const claim = claimOf({ tier: 'hot', policy: hundred, lease: { units: 8, duration: 1_000 }, ...options });
  const pass = async (milliseconds: number) => {
    store.clock.advance(milliseconds);
    jest.advanceTimersByTime(milliseconds);
    await settled();
  };
  /** Requests, one after the other. The last answer. */
  const consume = async (times = 1, group: readonly Claim[] = [claim]) => {
    let answer: Answer | undefined;
    for (let time = 0; time < times; time += 1) {
      answer = await leased.consume(group);
      await settled();
    }
    return answer!;
  };
  return { store, forget, leased, claim, pass, consume };
}

/** A lease with units in hand, after 12 requests. */
async function hot(options: ClaimOptions = {}) {
  const made = scene(options);
  await made.consume(12);
  return { ...made, inHand: made.store.used(made.claim) - 12 };
}

/** A hot lease, and another tier that denies. */
async function hotAndFull() {
  const made = await hot();
  const full = claimOf({ tier: 'full', policy: { ...hundred, limit: 1 } });
  await made.leased.consume([full]);
  return { ...made, full };
}

describe('LeaseLayer', () => {
  it('reports the units that it got, spent and returned', async () => {
    const sums = { granted: 0, spent: 0, returned: 0 };
    const unsubscribe = subscribe('sluice:lease', ({ tier, units, state }) => {
      expect(tier).toBe('hot');
      sums[state] += units;
    });
    const { leased, consume } = scene();

    await consume(20);
    await leased.release();
    unsubscribe();

    expect(sums.spent).toBeGreaterThan(0);
    expect(sums.returned).toBeGreaterThan(0);
    expect(sums.granted).toBe(sums.spent + sums.returned);
  });

  it('charges nothing ahead for a first request, nor for one after the duration', async () => {
    const { store, consume, pass, claim } = scene();

    await consume();
    await pass(1_001);
    await consume();

    expect(store.groups).toHaveLength(2);
    expect(store.used(claim)).toBe(2);
  });

  it('doubles a refill that is used up soon', async () => {
    const { store, consume } = scene({ lease: { units: 50, duration: 1_000 } });

    await consume(60);

    const refills = store.groups.flatMap(([claim]) => (claim!.cost > 1 ? claim!.cost : []));
    expect(refills.slice(0, 4)).toEqual([2, 4, 8, 16]);
  });

  it('keeps the size of a refill that lasts for half of the duration', async () => {
    const { store, consume, pass, claim } = scene({ lease: { units: 100, duration: 1_000 } });

    for (let request = 0; request < 100; request += 1) {
      await consume();
      await pass(100);
    }

    // There are 10 requests in a duration.
    expect(store.used(claim) - 100).toBeLessThanOrEqual(20);
  });

  it('charges at least the cost of a request ahead, and returns one receipt for it', async () => {
    const { store, consume } = scene({ cost: 3, lease: { units: 10, duration: 1_000 } });

    const answers = [];
    for (let request = 0; request < 20; request += 1) answers.push(await consume());

    expect(answers.slice(0, 3).map(({ source }) => source)).toEqual(['redis', 'redis', 'lease']);
    expect(answers.every(({ receipts }) => receipts.length === 1 && receipts[0]!.units === 3)).toBe(true);
    // Fewer units than a request costs are of no use.
    expect(Math.min(...store.groups.map(([claim]) => claim!.cost))).toBe(3);
  });

  it.each([
    ['a cost above the units', { cost: 9 }],
    ['a cost of 0', { cost: 0 }],
    ['a shadow tier', { shadow: true }],
    ['a tier that charges all requests', { charge: 'all' as const }],
    ['a tier without a lease', { lease: undefined }],
    ['a cost that can never fit', { policy: { ...hundred, limit: 2 }, cost: 3 }],
  ])('charges nothing ahead for %s', async (_, options) => {
    const { store, claim, consume } = scene(options);

    await consume(5);

    expect(store.groups.every(([sent]) => sent!.cost === claim.cost && sent!.terms === claim.terms)).toBe(true);
  });

  it('answers from units in hand, with the units and durations of now', async () => {
    const { store, consume, pass, inHand } = await hot({ policy: { ...hundred, window: '10s' } });
    const sent = store.groups.length;
    await pass(900);

    const answer = await consume();

    const outcome = { tier: 'hot', allowed: true, limit: 100, remaining: 100 - 13, retryAfter: 0, delay: 0 };
    expect(inHand).toBeGreaterThan(2);
    expect(answer).toMatchObject({ source: 'lease', receipts: [{ tier: 'hot', units: 1 }] });
    expect(answer.outcomes).toMatchObject([{ ...outcome, replenishAfter: 9_100, resetAfter: 9_100 }]);
    expect(store.groups.length).toBeLessThanOrEqual(sent + 1);
  });

  it('holds lease.units units at most, with those that requests may still put back', async () => {
    const { store, leased, claim, consume } = await hot();
    const slow = claimOf({ tier: 'slow', policy: { ...hundred, limit: 12 } });
    await leased.consume([{ ...slow, cost: 12 }]);
    const way = store.delay();
    const waiting = Array.from({ length: 20 }, () => leased.consume([claim, slow]));
    await way.arrive();
    await Promise.all(waiting);
    await consume(1, [claim, slow]);

    expect(store.used(claim) - 12).toBeLessThanOrEqual(8);
  });

  it('sends only the other tiers of a request, and answers in the order of the request', async () => {
    const { store, claim, consume } = await hot();
    const [before, after] = [claimOf({ tier: 'before' }), claimOf({ tier: 'after' })];
    const sent = store.groups.length;

    const answer = await consume(1, [before, claim, after]);

    expect(store.groups[sent]!.map(({ tier }) => tier)).toEqual(['before', 'after']);
    expect(answer.source).toBe('redis');
    expect(answer.outcomes.map(({ tier }) => tier)).toEqual(['before', 'hot', 'after']);
    expect(answer.receipts.map(({ tier }) => tier).toSorted()).toEqual(['after', 'before', 'hot']);
  });

  it('puts a unit back when the fallback denies', async () => {
    const { store, leased, claim, consume } = await hot();
    jest.spyOn(store, 'consume').mockResolvedValue({ outcomes: [], receipts: [], source: 'none', fallback: 'deny' });

    const answer = await consume(1, [claim, claimOf({ tier: 'other' })]);
    await leased.release();

    expect(answer).toMatchObject({ fallback: 'deny', receipts: [] });
    expect(store.used(claim)).toBe(12);
  });

  it('puts a unit back, and forgets denials of its key, when the store rejects the other tiers', async () => {
    const { store, leased, claim, forget } = await hot();
    const closed = new StoreError('STORE_CLOSED', 'closed');
    const peek = async () => (await leased.peek([claim])).outcomes[0]!.remaining;
    const before = await peek();
    forget.mockClear();

    jest.spyOn(store, 'consume').mockImplementation(() => Promise.reject(closed));
    await expect(Promise.resolve(leased.consume([claim, claimOf({ tier: 'other' })]))).rejects.toBe(closed);

    expect(await peek()).toBe(before);
    expect(forget.mock.calls.flat(2)).toContain(claim.key);
  });

  it('spends a unit when only a shadow tier denies', async () => {
    const { claim, consume, full } = await hotAndFull();

    expect(await consume(1, [claim, { ...full, shadow: true }])).toMatchObject({ receipts: [{ tier: 'hot' }] });
  });

  it('refunds a unit that was put back after it expired', async () => {
    const { store, leased, claim, pass, full } = await hotAndFull();
    const way = store.delay();
    const answer = leased.consume([claim, full]);
    await pass(2_000);
    await way.arrive();
    await answer;
    await settled();

    expect(store.used(claim)).toBe(12);
  });

  it('refunds unused units after the duration, and forgets denials of their key', async () => {
    const { store, claim, pass, inHand, forget } = await hot();
    forget.mockClear();

    await pass(1_010);

    expect(inHand).toBeGreaterThan(0);
    expect(store.used(claim)).toBe(12);
    expect(forget.mock.calls.flat(2)).toContain(claim.key);
  });

  it('refunds units when they are due, while later ones arrive all the time', async () => {
    const { store, leased, claim, consume, pass } = scene();
    await consume(8);
    // Its units expire sooner than the alarm can ring.
    const busy = claimOf({ tier: 'busy', policy: hundred, lease: { units: 1, duration: 6 } });

    for (let time = 0; time < 1_100; time += 5) {
      await leased.consume([busy]);
      await pass(5);
    }

    expect(store.refunds.flat().map(({ key }) => key)).toContain(claim.key);
  });

  it('spends no unit of a fixed window after its end', async () => {
    const { store, consume, pass } = scene({ policy: { ...hundred, window: '1s' } });
    await consume();
    await pass(500);
    await consume(11);

    await pass(490);
    const before = await consume();
    store.clock.advance(10);
    const after = await consume();

    expect([before.source, after.source]).toEqual(['lease', 'redis']);
  });

  it('refunds no unit of a bucket that time has given back', async () => {
    const policy: PolicyOptions = { algorithm: 'token-bucket', limit: 10, window: '10s', burst: 100 };
    const { store, leased, claim, consume } = scene({ policy, lease: { units: 8, duration: 9_000 } });
    const taken = [];
    for (let request = 0; request < 12; request += 1) taken.push(...(await consume()).receipts);
    await leased.release();
    // Time gives back 5 of 12 units, and another process takes 20.
    store.clock.advance('5s');
    await store.consume([{ ...claim, cost: 20 }]);
    const before = store.used(claim);

    for (const receipt of taken) await leased.refund([receipt]);

    expect(before).toBe(27);
    expect(store.used(claim)).toBeGreaterThanOrEqual(20);
    expect(store.used(claim)).toBeLessThanOrEqual(22);
  });

  it('refunds units on release, in hand and in flight', async () => {
    const { store, leased, claim } = scene();
    await leased.consume([claim]);
    const way = store.delay();
    const second = leased.consume([claim]);
    const onReleased = jest.fn();
    const released = leased.release().then(onReleased);
    await settled();
    const before = onReleased.mock.calls.length;
    await way.arrive();
    await Promise.all([second, released]);

    expect(before).toBe(0);
    expect(store.used(claim)).toBe(2);
  });

  it('goes on after a release, because other limiters may use the store', async () => {
    const { leased, consume } = await hot();

    await leased.release();

    const sources = [await consume(), await consume(), await consume()].map(({ source }) => source);
    expect(sources).toEqual(['redis', 'redis', 'lease']);
  });

  it('has one timer of a second at most, and none after close', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const duration = 40 * 86_400_000;
    const { leased } = await hot({ policy: { ...hundred, window: '40d' }, lease: { units: 8, duration } });
    const before = jest.getTimerCount();

    await leased.close();

    expect([before, jest.getTimerCount()]).toEqual([1, 0]);
    expect(Math.max(...timers.mock.calls.map(([, pause]) => pause!))).toBeLessThanOrEqual(1_000);
  });

  it('forgets the units of a key that is reset', async () => {
    const { store, leased, claim, consume, pass } = await hot();

    await leased.reset([claim.key]);
    const answer = await consume();
    await pass(2_000);

    expect(answer.source).toBe('redis');
    expect(store.used(claim)).toBe(1);
  });

  it('forgets units that were in flight when their key was reset', async () => {
    const { store, leased, claim, pass } = scene();
    await leased.consume([claim]);
    const way = store.delay();
    const second = leased.consume([claim]);
    store.way = Promise.resolve();
    await leased.reset([claim.key]);
    await store.consume([{ ...claim, cost: 5 }]);
    await way.arrive();
    await second;
    const third = await leased.consume([claim]);
    await pass(2_000);

    expect(third.source).toBe('redis');
    expect(store.used(claim)).toBe(6);
  });

  it('forgets units that a request holds when their key is reset', async () => {
    const { store, leased, claim, pass, full } = await hotAndFull();
    const way = store.delay();
    const denied = leased.consume([claim, full]);
    store.way = Promise.resolve();
    await leased.reset([claim.key]);
    await store.consume([{ ...claim, cost: 5 }]);
    await pass(2_000);
    await way.arrive();
    await denied;
    await settled();

    expect(store.used(claim)).toBe(5);
  });

  it('shares units among tiers of equal numbers', async () => {
    const { store, claim, consume } = await hot();
    const sent = store.groups.length;

    const answer = await consume(1, [
      {
        ...claim,
        policy: { ...claim.policy },
        terms: changedTerms(claim.terms, { lease: { units: 2, duration: 500 } }),
      },
    ]);

    expect(answer.source).toBe('lease');
    expect(store.groups).toHaveLength(sent);
  });

  it('peeks at units in hand', async () => {
    const { store, leased, claim, inHand } = await hot({ policy: { ...hundred, limit: 16 } });
    await store.consume([chargedFor({ ...claim, cost: 16 - 12 - inHand }, 'all')]);

    const alone = await leased.peek([claim]);
    const together = await leased.peek([claim, claimOf({ tier: 'other' })]);
    const more = await leased.peek([{ ...claim, cost: 8 }]);

    expect(alone).toMatchObject({ source: 'lease', receipts: [], outcomes: [{ allowed: true, remaining: inHand }] });
    expect(together.outcomes).toMatchObject([
      { tier: 'hot', allowed: true },
      { tier: 'other', allowed: true },
    ]);
    expect(more.outcomes).toMatchObject([{ allowed: false }]);
  });

  it('admits requests by the store when no units can be fetched', async () => {
    const fetchFrom = new RemoteStore();
    fetchFrom.failure = new StoreError('STORE_UNAVAILABLE', 'no reply');
    const { store, claim, consume } = scene({}, fetchFrom);

    const answer = await consume(10);

    expect(answer).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
    expect(store.used(claim)).toBe(10);
  });

  it('leaves units charged when the store cannot take them back', async () => {
    const { store, claim, pass } = await hot();
    const used = store.used(claim);
    store.failure = new StoreError('STORE_CLOSED', 'this store has been closed');

    await pass(2_000);

    expect(store.used(claim)).toBe(used);
  });

  it('leases 10 000 keys at most, and drops empty ones for others', async () => {
    const { leased, claim, consume } = scene();
    const cold = (tag: number) => claimOf({ policy: claim.policy, lease: claim.terms!.lease, tag: `${tag}` });
    for (let tag = 0; tag < 10_000; tag += 1) void leased.consume([cold(tag)]);

    const answer = await consume(3);
    const dropped = await consume(2, [cold(0)]);

    expect([answer.source, dropped.source]).toEqual(['lease', 'redis']);
  });
});
