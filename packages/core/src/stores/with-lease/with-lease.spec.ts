import { claim as claimOf, type ClaimOptions } from '../../testing/internal/claim.js';
import { RemoteStore, settled } from '../../testing/internal/remote-store.js';
import type { PolicyOptions } from '../../algorithms/policy-options.js';
import { StoreError } from '../../model/errors.js';
import type { Claim } from '../../model/claim.js';
import type { Answer } from '../store.js';
import { DenialCache } from '../denial-cache.js';
import { withLease, type LeaseContext } from './with-lease.js';

const hundred: PolicyOptions = { algorithm: 'fixed-window', limit: 100, window: '1h' };

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
});

afterEach(() => {
  jest.useRealTimers();
});

function scene(options: ClaimOptions = {}, context: Partial<LeaseContext> = {}) {
  const store = new RemoteStore();
  const leasing = withLease(store, {
    fetchFrom: store,
    denials: new DenialCache(store.clock),
    clock: store.clock,
    ...context,
  });
  const claim = claimOf({ tier: 'hot', policy: hundred, lease: { units: 8, duration: 1_000 }, ...options });
  const pass = async (milliseconds: number) => {
    store.clock.advance(milliseconds);
    jest.advanceTimersByTime(milliseconds);
    await settled();
  };
  /** As many requests, one after the other. */
  const ask = async (times = 1, group: readonly Claim[] = [claim]) => {
    let answer: Answer | undefined;
    for (let time = 0; time < times; time += 1) {
      answer = await leasing.consume(group);
      await settled();
    }
    return answer!;
  };
  return { store, leasing, claim, pass, ask };
}

/** With units in hand: 8 requests have spent 8, and 8 are here. */
async function hot(options: ClaimOptions = {}, context: Partial<LeaseContext> = {}) {
  const made = scene(options, context);
  await made.ask(12);
  const inHand = made.store.used(made.claim) - 12;
  return { ...made, inHand };
}

describe('A lease', () => {
  it('fetches nothing for a first request, nor for one that comes after the horizon', async () => {
    const { store, ask, pass, claim } = scene();

    await ask();
    await pass(1_001);
    await ask();

    expect(store.groups).toHaveLength(2);
    expect(store.used(claim)).toBe(2);
  });

  it('fetches twice as much each time that it was used up soon', async () => {
    const { store, ask } = scene({ lease: { units: 50, duration: 1_000 } });

    await ask(60);

    const fetched = store.groups.flatMap(([claim]) => (claim!.countDenied ? claim!.cost : []));
    expect(fetched.slice(0, 6)).toEqual([1, 1, 2, 4, 8, 16]);
  });

  it('fetches no more of what lasts for half of the horizon', async () => {
    const { store, ask, pass, claim } = scene({ lease: { units: 100, duration: 1_000 } });

    for (let request = 0; request < 100; request += 1) {
      await ask();
      await pass(100);
    }

    // 10 are asked for in a horizon.
    expect(store.used(claim) - 100).toBeLessThanOrEqual(20);
  });

  it('answers from what is in hand, and says so', async () => {
    const { store, ask, inHand } = await hot();
    const asked = store.groups.length;

    const answer = await ask();

    expect(inHand).toBeGreaterThan(2);
    expect(answer).toMatchObject({ source: 'lease', receipts: [{ tier: 'hot', units: 1 }] });
    expect(answer.outcomes).toMatchObject([{ tier: 'hot', allowed: true, limit: 100, retryAfter: 0, delay: 0 }]);
    expect(store.groups.length).toBeLessThanOrEqual(asked + 1);
  });

  it('tells a client what is left for it here and in the store', async () => {
    const { ask } = await hot();

    const { outcomes } = await ask();

    expect(outcomes).toMatchObject([{ remaining: 100 - 13 }]);
  });

  it('lets the times of an outcome pass', async () => {
    const { ask, pass } = await hot({ policy: { ...hundred, window: '10s' } });

    await pass(900);
    const { outcomes } = await ask();

    expect(outcomes).toMatchObject([{ replenishAfter: 9_100, resetAfter: 9_100 }]);
  });

  it('has max units in hand at most, those included that requests may still put back', async () => {
    const { store, leasing, claim, ask } = await hot();
    const slow = claimOf({ tier: 'slow', policy: { ...hundred, limit: 12 } });
    const { receipts } = await leasing.consume([{ ...slow, cost: 12 }]);
    const way = store.delay();
    const waiting = Array.from({ length: 20 }, () => leasing.consume([claim, slow]));
    await way.arrive();
    await Promise.all(waiting);
    await ask(1, [claim, slow]);

    expect(receipts).toHaveLength(1);
    expect(store.used(claim) - 12).toBeLessThanOrEqual(8);
  });

  it('sends only the other tiers of a request, and names all in the order of the request', async () => {
    const { store, claim, ask } = await hot();
    const [before, after] = [claimOf({ tier: 'before' }), claimOf({ tier: 'after' })];
    const asked = store.groups.length;

    const answer = await ask(1, [before, claim, after]);

    expect(store.groups[asked]!.map(({ tier }) => tier)).toEqual(['before', 'after']);
    expect(answer.source).toBe('redis');
    expect(answer.outcomes.map(({ tier }) => tier)).toEqual(['before', 'hot', 'after']);
    expect(answer.receipts.map(({ tier }) => tier).toSorted()).toEqual(['after', 'before', 'hot']);
  });

  it('puts a unit back when another tier denies', async () => {
    const { store, leasing, claim, ask } = await hot();
    const full = claimOf({ tier: 'full', policy: { ...hundred, limit: 1 } });
    await leasing.consume([full]);
    const used = store.used(claim);

    const denied = await ask(20, [claim, full]);
    await leasing.release();

    expect(denied).toMatchObject({ receipts: [], outcomes: [{ tier: 'hot', allowed: true }, { allowed: false }] });
    expect(used).toBeGreaterThan(12);
    expect(store.used(claim)).toBe(12);
  });

  it('goes on where a shadow tier denies', async () => {
    const { leasing, claim, ask } = await hot();
    const full = claimOf({ tier: 'full', policy: { ...hundred, limit: 1 }, shadow: true });
    await leasing.consume([full]);

    expect(await ask(1, [claim, full])).toMatchObject({ receipts: [{ tier: 'hot' }] });
  });

  it('puts a unit back where another tier has to be asked for and cannot', async () => {
    const { store, leasing, claim, ask } = await hot();
    jest.spyOn(store, 'consume').mockResolvedValue({ outcomes: [], receipts: [], source: 'none', fallback: 'deny' });

    const answer = await ask(1, [claim, claimOf({ tier: 'other' })]);
    await leasing.release();

    expect(answer).toMatchObject({ fallback: 'deny', receipts: [] });
    expect(store.used(claim)).toBe(12);
  });

  it('gives a unit to the store that is put back too late', async () => {
    const { store, leasing, claim, pass } = await hot();
    const full = claimOf({ tier: 'full', policy: { ...hundred, limit: 1 } });
    await leasing.consume([full]);
    const way = store.delay();
    const answer = leasing.consume([claim, full]);
    await pass(2_000);
    await way.arrive();
    await answer;
    await settled();

    expect(store.used(claim)).toBe(12);
  });

  it('gives back what is in hand once the horizon has passed', async () => {
    const { store, claim, pass, inHand } = await hot();

    await pass(1_010);

    expect(inHand).toBeGreaterThan(0);
    expect(store.used(claim)).toBe(12);
  });

  it('spends nothing of a fixed window after its end', async () => {
    const { store, ask, pass } = scene({ policy: { ...hundred, window: '1s' } });
    await ask();
    await pass(500);
    await ask(11);

    await pass(490);
    const before = await ask();
    store.clock.advance(10);
    const after = await ask();

    expect([before.source, after.source]).toEqual(['lease', 'redis']);
  });

  it('gives back on release what is in hand, and what is on its way', async () => {
    const { store, leasing, claim } = scene();
    await leasing.consume([claim]);
    const way = store.delay();
    const second = leasing.consume([claim]);
    const done = jest.fn();
    const released = leasing.release().then(done);
    await settled();
    const before = done.mock.calls.length;
    await way.arrive();
    await Promise.all([second, released]);

    expect(before).toBe(0);
    expect(store.used(claim)).toBe(2);
  });

  it('goes on after a release, which other limiters on the store may not have meant', async () => {
    const { leasing, ask } = await hot();

    await leasing.release();
    const sources = [await ask(), await ask(), await ask()].map(({ source }) => source);

    expect(sources).toEqual(['redis', 'redis', 'lease']);
  });

  it('leaves no timer behind when it is closed, and none that keeps a process up', async () => {
    const { leasing } = await hot();
    const before = jest.getTimerCount();

    await leasing.close();

    expect([before, jest.getTimerCount()]).toEqual([1, 0]);
  });

  it('takes no timer longer than a second, however long the horizon is', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');

    await hot({ policy: { ...hundred, window: '40d' }, lease: { units: 8, duration: 40 * 86_400_000 } });

    expect(Math.max(...timers.mock.calls.map(([, pause]) => pause!))).toBeLessThanOrEqual(1_000);
  });

  it('gives each unit back once, by refund, by putting back or by the horizon', async () => {
    const { store, leasing, claim, ask, pass } = await hot();
    const { receipts } = await ask();

    const given = await leasing.refund(receipts);
    await pass(2_000);

    expect(given).toBe(1);
    expect(store.used(claim)).toBe(12);
  });

  it('gives back of a bucket no more than time has left, whatever unit it is', async () => {
    const policy: PolicyOptions = { algorithm: 'token-bucket', limit: 10, window: '10s', burst: 100 };
    const { store, leasing, claim, ask } = scene({ policy, lease: { units: 8, duration: 9_000 } });
    const taken = [];
    for (let request = 0; request < 12; request += 1) taken.push(...(await ask()).receipts);
    await leasing.release();
    // Of 12 units time gives back 5, and somebody else takes 20.
    store.clock.advance('5s');
    await store.consume([{ ...claim, cost: 20 }]);
    const before = store.used(claim);

    for (const receipt of taken) await leasing.refund([receipt]);

    expect(before).toBe(27);
    expect(store.used(claim)).toBeGreaterThanOrEqual(20);
    expect(store.used(claim)).toBeLessThanOrEqual(22);
  });

  it('forgets what is in hand of a key that is reset', async () => {
    const { store, leasing, claim, ask, pass } = await hot();

    await leasing.reset([claim.key]);
    const answer = await ask();
    await pass(2_000);

    expect(answer.source).toBe('redis');
    expect(store.used(claim)).toBe(1);
  });

  it('spends nothing that was on its way when its key was reset, and gives none of it back', async () => {
    const { store, leasing, claim, pass } = scene();
    await leasing.consume([claim]);
    const way = store.delay();
    const second = leasing.consume([claim]);
    store.way = Promise.resolve();
    await leasing.reset([claim.key]);
    await store.consume([{ ...claim, cost: 5 }]);
    await way.arrive();
    await second;
    const third = await leasing.consume([claim]);
    await pass(2_000);

    expect(third.source).toBe('redis');
    expect(store.used(claim)).toBe(6);
  });

  it('puts nothing back of a key that was reset in the meantime', async () => {
    const { store, leasing, claim, pass } = await hot();
    const full = claimOf({ tier: 'full', policy: { ...hundred, limit: 1 } });
    await leasing.consume([full]);
    const way = store.delay();
    const denied = leasing.consume([claim, full]);
    store.way = Promise.resolve();
    await leasing.reset([claim.key]);
    await store.consume([{ ...claim, cost: 5 }]);
    await pass(2_000);
    await way.arrive();
    await denied;
    await settled();

    expect(store.used(claim)).toBe(5);
  });

  it('gives back what is in hand, and what comes, when another limit holds', async () => {
    const { store, leasing, claim, ask, pass } = await hot();
    const cut = { ...claim, policy: claimOf({ policy: { ...hundred, limit: 12 } }).policy };

    const { outcomes, source } = await ask(1, [cut]);
    await pass(2_000);
    await leasing.release();

    expect(source).toBe('redis');
    expect(outcomes).toMatchObject([{ limit: 12 }]);
    expect(store.used(claim)).toBeLessThanOrEqual(13);
  });

  it('shares what is in hand among tiers of the same numbers, each within its own terms', async () => {
    const { store, claim, ask } = await hot();
    const twin = { ...claim, policy: { ...claim.policy }, lease: { units: 2, duration: 500 } };
    const asked = store.groups.length;

    const answer = await ask(1, [twin]);

    expect(answer.source).toBe('lease');
    expect(store.groups).toHaveLength(asked);
  });

  it('fetches at least what a request costs', async () => {
    const { store, claim, ask } = scene({ cost: 3, lease: { units: 30, duration: 1_000 } });

    const answers = [await ask(), await ask(), await ask()];

    expect(answers.map(({ source }) => source)).toEqual(['redis', 'redis', 'lease']);
    expect(answers[2]!.receipts).toMatchObject([{ units: 3 }]);
    expect(store.used(claim) % 3).toBe(0);
  });

  it.each([
    ['costs more than max', { cost: 9 }],
    ['costs nothing', { cost: 0 }],
    ['only watches', { shadow: true }],
    ['counts denied requests', { countDenied: true }],
    ['has no lease', { lease: undefined }],
  ])('fetches nothing for a tier that %s', async (_, options) => {
    const { store, ask } = scene(options);

    await ask(5);

    expect(store.groups.map((group) => group.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it('fetches nothing for what can never fit', async () => {
    const { store, claim, ask } = scene({ policy: { ...hundred, limit: 2 }, cost: 3 });

    await ask(5);

    expect(store.used(claim)).toBe(0);
  });

  it('gives every unit of a request one receipt', async () => {
    const { store, ask } = scene({ cost: 3, lease: { units: 10, duration: 1_000 } });

    for (let request = 0; request < 20; request += 1) expect((await ask()).receipts).toHaveLength(1);

    // Of less than a request costs there is nothing to be had.
    expect(Math.min(...store.groups.map(([claim]) => claim!.cost))).toBe(3);
  });

  it('asks the store where the budget is spent, which knows when there is more', async () => {
    const { claim, store, ask } = scene({ policy: { ...hundred, limit: 5 } });

    const answers = [];
    for (let request = 0; request < 8; request += 1) answers.push(await ask());

    expect(answers.filter(({ outcomes }) => outcomes[0]!.allowed)).toHaveLength(5);
    expect(answers.at(-1)).toMatchObject({ source: 'redis', outcomes: [{ allowed: false, remaining: 0 }] });
    expect(store.used(claim)).toBe(5);
  });

  it('peeks at what is in hand, and changes nothing', async () => {
    const { store, leasing, claim, inHand } = await hot({ policy: { ...hundred, limit: 16 } });
    const other = claimOf({ tier: 'other' });
    await store.consume([{ ...claim, cost: 16 - 12 - inHand, countDenied: true }]);

    const alone = await leasing.peek([claim]);
    const beside = await leasing.peek([claim, other]);
    const more = await leasing.peek([{ ...claim, cost: 8 }]);

    expect(alone).toMatchObject({ source: 'lease', receipts: [], outcomes: [{ allowed: true, remaining: inHand }] });
    expect(beside.outcomes.map(({ tier, allowed }) => [tier, allowed])).toEqual([
      ['hot', true],
      ['other', true],
    ]);
    expect(more.outcomes).toMatchObject([{ allowed: false }]);
  });

  it('fails no request where units cannot be fetched, and charges nothing instead', async () => {
    const source = new RemoteStore();
    source.failure = new StoreError('STORE_UNAVAILABLE', 'no reply');
    const { store, claim, ask } = scene({}, { fetchFrom: source });

    const answer = await ask(10);

    expect(answer.source).toBe('redis');
    expect(store.used(claim)).toBe(10);
  });

  it('keeps what it could not give back counted, and troubles nobody with it', async () => {
    const { store, claim, pass } = await hot();
    const used = store.used(claim);
    store.failure = new StoreError('STORE_CLOSED', 'this store has been closed');

    await pass(2_000);

    expect(store.used(claim)).toBe(used);
  });

  it('tells of keys that there is more of: what has come, and what has gone back', async () => {
    const denials = new DenialCache();
    const onMore = jest.spyOn(denials, 'forget');
    const { store, claim, ask, pass } = scene({}, { denials });

    await ask(2);
    const arrived = onMore.mock.calls.length;
    await pass(1_010);

    expect(arrived).toBe(1);
    expect(onMore.mock.calls).toEqual([[[claim.key]], [[claim.key]]]);
    expect(store.used(claim)).toBe(2);
  });

  it('holds 10 000 keys at most, and drops those that hold nothing for others', async () => {
    const { leasing, claim, ask } = scene();
    const cold = (tag: number) => claimOf({ policy: claim.policy, lease: claim.lease, tag: `${tag}` });
    for (let tag = 0; tag < 10_000; tag += 1) void leasing.consume([cold(tag)]);

    const answer = await ask(3);
    const dropped = await ask(2, [cold(0)]);

    expect(answer.source).toBe('lease');
    expect(dropped.source).toBe('redis');
  });
});

describe('a request whose other tiers cannot be asked', () => {
  it('puts back what it has taken', async () => {
    const denials = new DenialCache();
    const forget = jest.spyOn(denials, 'forget');
    const { store, leasing, claim, ask } = scene({}, { denials });
    await ask(8);
    const other = claimOf({ tier: 'other', policy: hundred });
    const before = (await leasing.peek([claim])).outcomes[0]!.remaining;
    forget.mockClear();

    const closed = new StoreError('STORE_CLOSED', 'closed');
    const consume = jest.spyOn(store, 'consume').mockImplementation(() => Promise.reject(closed));
    await expect(Promise.resolve(leasing.consume([claim, other]))).rejects.toBe(closed);
    consume.mockRestore();

    expect((await leasing.peek([claim])).outcomes[0]!.remaining).toBe(before);
    expect(forget.mock.calls.flat(2)).toContain(claim.key);
  });
});

describe('units that expire while others arrive all the time', () => {
  it('are given back when they are due, and not put off', async () => {
    const { store, leasing, claim, ask, pass } = scene();
    await ask(8);
    const refund = jest.spyOn(store, 'refund');
    // Another key has units that expire sooner than anybody can look.
    const busy = claimOf({ tier: 'busy', policy: hundred, lease: { units: 1, duration: 6 } });

    for (let time = 0; time < 1_100; time += 5) {
      await leasing.consume([busy]);
      await pass(5);
    }

    expect(refund.mock.calls.flat(2).map(({ key }) => key)).toContain(claim.key);
  });
});
