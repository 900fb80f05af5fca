import type { Charge, RequestFacts } from '../layer.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { claim as claimOf, newTag } from '../../../../../test/support/claim.js';
import { linkOf } from '../../../../../test/support/link-of.js';
import { FailingStore, rejects, unavailable } from '../../../../../test/support/failing-store.js';
import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import { changedTerms, chargedFor, type Claim } from '../../model/claim.js';
import type { Holder } from '../../model/holder.js';
import { subscribe } from '../../events/events.js';
import { memoryStore } from '../memory/memory-store.js';
import type { LayeredStore, Store } from '../store.js';
import type { Answer } from '../../model/answer.js';
import { FullKeys } from './full-keys.js';
import { HeldPermits, tellLocal } from './held-permits.js';
import { behindFallback, behindPermits } from '../../../../../test/support/layered-stores.js';

const running = (more: object = {}): PolicyOptions => ({ algorithm: 'concurrency', limit: 2, hold: '30s', ...more });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Processes on one store, and their common clock. */
function fleet(policy = running()) {
  const clock = fakeClock();
  const target = memoryStore({ clock });
  const claim = claimOf({ policy, tier: 'running', tag: newTag() });
  const open = () => behindPermits(target, { target, held: new HeldPermits(), clock });
  const pass = (milliseconds: number) => {
    clock.advance(milliseconds);
    jest.advanceTimersByTime(milliseconds);
  };
  return { clock, target, claim, open, pass };
}

const isAllowed = (answer: Answer): boolean => answer.outcomes.every(({ allowed }) => allowed);

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function take(store: LayeredStore & { consume: Charge }, claim: Claim, facts?: RequestFacts): Promise<boolean> {
  return isAllowed(await store.consume([claim], facts));
}

describe('PermitLayer', () => {
  it('denies a request that may not wait, while others wait before it', async () => {
    const { claim, open, pass } = fleet(running({ limit: 1, wait: '1m' }));
    const [store, other] = [open(), open()];
    const { receipts } = await other.consume([claim]);
    const waiting = store.consume([claim]);

    // Another process has released it, so that the waiting request has not tried again.
    await other.refund(receipts);
    const impatient = await take(store, claim, { patience: { wait: 0 } });
    pass(400);

    expect([impatient, isAllowed(await waiting)]).toEqual([false, true]);
  });

  it('gives out no more permits than the limit, over all processes', async () => {
    const { claim, open } = fleet();
    const [one, other] = [open(), open()];

    const taken = [await take(one, claim), await take(other, claim), await take(one, claim), await take(other, claim)];

    expect(taken).toEqual([true, true, false, false]);
  });

  it('releases a permit once', async () => {
    const { claim, open } = fleet();
    const store = open();
    const { receipts } = await store.consume([claim]);

    expect([await store.refund(receipts), await store.refund(receipts)]).toEqual([1, 0]);
  });

  it('renews the permits of requests that run, and of no other', async () => {
    const { claim, open, pass, target, clock } = fleet();
    const living = open();
    await take(living, claim);
    // As if it had died.
    await target.consume([{ ...claim, name: 'dead' }]);
    const third = open();

    for (let second = 0; second < 29; second += 1) pass(1_000);
    const before = await take(third, claim);
    clock.advance(1_000);

    expect([before, await take(third, claim), await take(third, claim)]).toEqual([false, true, false]);
  });

  it('renews before it takes more when its timer is late, because the event loop was stalled', async () => {
    const { claim, open, clock } = fleet();
    const store = open();
    await take(store, claim);

    clock.advance(40_000);
    const more = [await take(store, claim), await take(store, claim)];

    expect(more).toEqual([true, false]);
  });

  it('needs no timer while it holds nothing', async () => {
    const { claim, open, pass } = fleet();
    const store = open();
    const { receipts } = await store.consume([claim]);
    await store.refund(receipts);

    pass(1_000);

    expect(jest.getTimerCount()).toBe(0);
  });

  it('renews a permit no longer than longest', async () => {
    const { claim, open, pass } = fleet(running({ longest: '1m' }));
    const store = open();
    await take(store, claim);
    await take(store, claim);

    for (let second = 0; second < 79; second += 1) pass(1_000);
    const before = await take(open(), claim);
    for (let second = 0; second < 2; second += 1) pass(1_000);

    expect([before, await take(open(), claim)]).toEqual([false, true]);
  });

  /** A permit that is held for something, which it watches. */
  async function watched(policy = running({ limit: 1, hold: '60s' })) {
    const { claim, open, pass } = fleet(policy);
    const store = open();
    const { receipts } = await store.consume([claim]);
    const holder = { state: 'running' as ReturnType<Holder['look']>, abandoned: [] as string[] };
    store.watch(receipts, {
      look() {
        if (holder.state === 'over') void store.refund(receipts);
        return holder.state;
      },
      onAbandoned: (tier) => void holder.abandoned.push(tier),
    });
    /** In seconds. */
    const timeUntilFree = async (limit: number) => {
      const other = open();
      for (let second = 0; second <= limit; second += 1) {
        if (await take(other, claim)) return second;
        pass(1_000);
      }
      return Infinity;
    };
    return { holder, pass, timeUntilFree };
  }

  it('finds a permit whose holder is over at its next renewal, a third of hold later at most', async () => {
    const { holder, pass, timeUntilFree } = await watched();
    for (let second = 0; second < 50; second += 1) pass(1_000);

    holder.state = 'over';

    expect(await timeUntilFree(60)).toBeLessThanOrEqual(20);
    expect(holder.abandoned).toEqual([]);
  });

  it.each([
    ['hold', '60s', 60, 60 + 40],
    ['30 seconds where hold is shorter', '3s', 30, 30 + 2],
  ])('counts a holder that works on without its client for %s', async (_time, hold, least, most) => {
    const { holder, timeUntilFree } = await watched(running({ limit: 1, hold }));

    holder.state = 'left';

    const freeAfter = await timeUntilFree(200);
    expect(freeAfter).toBeGreaterThanOrEqual(least);
    expect(freeAfter).toBeLessThanOrEqual(most);
    expect(holder.abandoned).toEqual(['running']);
  });

  it('counts a holder that works on without its client for longest, where the policy has it', async () => {
    const { holder, timeUntilFree } = await watched(running({ limit: 1, hold: '30s', longest: '5m' }));

    holder.state = 'left';

    const freeAfter = await timeUntilFree(400);
    expect(freeAfter).toBeGreaterThanOrEqual(300);
    expect(freeAfter).toBeLessThanOrEqual(330);
    expect(holder.abandoned).toEqual([]);
  });

  it('denies without a call what this process holds alone', async () => {
    const { claim, open, target } = fleet();
    const store = open();
    await take(store, claim);
    await take(store, claim);
    const consume = jest.spyOn(target, 'consume');

    const answer = await store.consume([claim]);

    expect(consume).not.toHaveBeenCalled();
    expect(answer).toMatchObject({ source: 'deny-cache', receipts: [] });
    expect(answer.outcomes).toEqual([
      expect.objectContaining({ tier: 'running', allowed: false, held: true, remaining: 0, retryAfter: 1_000 }),
    ]);
  });

  it('lets others in after a reset, and counts what still runs at the next renewal', async () => {
    const lapsed: unknown[] = [];
    const end = subscribe('sluice:permit-lapsed', (event) => lapsed.push(event));
    const { claim, open, pass } = fleet();
    const store = open();
    await take(store, claim);
    await take(store, claim);

    await store.reset([claim.key]);
    const admitted = await take(store, claim);
    for (let second = 0; second < 11; second += 1) pass(1_000);
    end();

    expect([admitted, await take(open(), claim)]).toEqual([true, false]);
    expect(lapsed).toEqual([
      { tier: 'running', units: 1 },
      { tier: 'running', units: 1 },
    ]);
  });

  it('ends the permits of a limiter, and no other', async () => {
    const { claim, clock, target } = fleet();
    const held = new HeldPermits();
    const store = behindPermits(target, { target, held, clock });
    const [limiter, other] = [{}, {}];
    for (const owner of [limiter, other]) held.assign((await store.consume([claim])).receipts, owner);

    await store.release(limiter);

    expect([await take(store, claim), await take(store, claim)]).toEqual([true, false]);
  });
});

describe('PermitLayer during an outage', () => {
  /** A store that fails on demand, with a fallback. */
  function scene(policy = running()) {
    const clock = fakeClock();
    const target = new FailingStore(clock);
    const local = memoryStore({ clock });
    const held = new HeldPermits();
    const answering = behindFallback(target, local, (claims) => tellLocal({ held, local, clock }, claims));
    const recover = answering.recover.bind(answering);
    const store = behindPermits(answering, { target, local, recover, held, clock });
    const claim = claimOf({ policy, tier: 'running', tag: newTag() });
    const pass = async (milliseconds: number) => {
      clock.advance(milliseconds);
      await jest.advanceTimersByTimeAsync(milliseconds);
    };
    return { target, store, claim, pass, clock };
  }

  it('counts what runs when the local store decides', async () => {
    const { target, store, claim } = scene();
    await take(store, claim);

    target.failure = rejects(unavailable);

    expect([await take(store, claim), await take(store, claim)]).toEqual([true, false]);
  });

  it('tells the store of permits that it gave out meanwhile', async () => {
    const { target, store, claim, pass } = scene();
    target.failure = rejects(unavailable);
    await take(store, claim);
    await take(store, claim);
    target.failure = undefined;
    await pass(100);
    await store.consume([{ ...claim, key: `${claim.key}:other` }]);
    await pass(0);

    const other = await target.consume([{ ...claim, name: 'another process' }]);

    expect(isAllowed(other)).toBe(false);
  });

  it('takes no answer of a store that has not heard what runs', async () => {
    const { target, store, claim } = scene(running({ limit: 4 }));
    target.failure = rejects(unavailable);
    await take(store, claim);
    target.failure = undefined;
    // Its renewal is lost, and the check behind it is not.
    jest.spyOn(target, 'renew').mockImplementation(rejects(unavailable));

    const sources = [await store.consume([claim]), await store.consume([claim])].map(({ source }) => source);

    expect(sources).toEqual(['local', 'local']);
  });

  it('renews in the local store before that decides, when the event loop was stalled during an outage', async () => {
    const { target, store, claim, clock } = scene();
    target.failure = rejects(unavailable);
    Object.assign(target, { outageOf: () => unavailable });
    const before = [await take(store, claim), await take(store, claim)];

    clock.advance(40_000);

    expect([...before, await take(store, claim)]).toEqual([true, true, false]);
  });

  it('renews in the local store before that decides about a check that was sent before a stall', async () => {
    const { target, store, claim, clock } = scene(running({ limit: 1 }));
    target.failure = rejects(unavailable);
    await take(store, claim);
    jest.spyOn(target, 'renew').mockImplementation(async (receipts) => receipts.map(() => 0));
    let fail: (error: unknown) => void = () => {};
    target.failure = () => new Promise<never>((_resolve, reject) => (fail = reject));
    const answer = store.consume([chargedFor(claim, 'all')]);

    clock.advance(40_000);
    fail(unavailable);

    expect(isAllowed(await answer)).toBe(false);
  });

  it('takes no answer of a store that does not know of permits that lapsed while the event loop was stalled', async () => {
    const { target, store, claim, clock } = scene(running({ limit: 3 }));
    await take(store, claim);
    clock.advance(40_000);
    jest.spyOn(target, 'renew').mockImplementation(rejects(unavailable));

    const { source } = await store.consume([claim]);

    expect(source).toBe('local');
  });

  it('renews a permit whose answer was read after it had lapsed, before it takes more', async () => {
    const { target, store, claim, clock } = scene(running({ limit: 1, hold: '30s' }));
    const answer = store.consume([claim]);
    clock.advance(1);
    await target.consume([]);
    clock.advance(40_000);

    const taken = [isAllowed(await answer), await take(store, claim)];

    expect(taken).toEqual([true, false]);
  });

  it('lets the store decide again when it has heard what runs', async () => {
    const { target, store, claim, pass } = scene();
    const free = { ...claim, cost: 0 };
    target.failure = rejects(unavailable);
    await take(store, claim);
    await store.consume([free]);
    await pass(0);
    target.failure = undefined;

    const first = await store.consume([free]);
    await pass(0);
    const second = await store.consume([free]);

    expect([first.source, second.source]).toEqual(['local', 'memory']);
    expect(second.outcomes[0]!.remaining).toBe(1);
  });

  it('releases a permit that the store may have given although no answer came', async () => {
    const { target, store, claim, pass } = scene(running({ limit: 1 }));
    const answered = target.consume.bind(target);
    jest.spyOn(target, 'consume').mockImplementationOnce(async (group) => {
      await answered(group);
      throw unavailable;
    });
    const { receipts } = await store.consume([claim]);
    await store.refund(receipts);
    await pass(0);

    expect(isAllowed(await target.consume([{ ...claim, name: 'another process' }]))).toBe(true);
  });

  it.each(['check', 'renewal'] as const)(
    'releases again what a %s has stored that arrives behind the release',
    async (call) => {
      const { target, store, claim, pass } = scene(running({ limit: 1 }));
      const late: (() => unknown)[] = [];
      const [consume, renew] = [target.consume.bind(target), target.renew.bind(target)];
      if (call === 'check') {
        jest.spyOn(target, 'consume').mockImplementationOnce(async (...group) => {
          late.push(() => consume(...group));
          throw unavailable;
        });
      }
      const failing = jest.spyOn(target, 'renew').mockImplementation(async (...permits) => {
        late.push(() => renew(...permits));
        return [unavailable];
      });
      const { receipts } = await store.consume([claim]);
      if (call === 'renewal') for (let second = 0; second < 11; second += 1) await pass(1_000);
      await store.refund(receipts);
      await pass(0);
      failing.mockRestore();

      for (const arrive of late) await arrive();
      const blocked = isAllowed(await target.consume([{ ...claim, name: 'early' }]));
      for (let second = 0; second < 3; second += 1) await pass(1_000);

      expect([late.length > 0, blocked]).toEqual([true, false]);
      expect(isAllowed(await target.consume([{ ...claim, name: 'late' }]))).toBe(true);
    },
  );

  it.each(['allow', 'deny'] as const)(
    'releases a permit that the store may have given when onStoreFailure is %s',
    async (onStoreFailure) => {
      const { target, store, claim, pass } = scene(running({ limit: 1 }));
      const answered = target.consume.bind(target);
      jest.spyOn(target, 'consume').mockImplementationOnce(async (group) => {
        await answered(group);
        throw unavailable;
      });
      await store.consume([{ ...claim, terms: changedTerms(claim.terms, { onStoreFailure }) }]);
      await pass(0);

      expect(isAllowed(await target.consume([{ ...claim, name: 'another process' }]))).toBe(true);
    },
  );

  it.each(['local', 'deny'] as const)(
    'releases nothing in a store that has refused the request before it ran when onStoreFailure is %s',
    async (onStoreFailure) => {
      const { target, store, claim, pass } = scene(running({ limit: 1 }));
      const refund = jest.spyOn(target, 'refund');
      Object.assign(target, { link: linkOf(target, { changedNothing: (error) => error === unavailable }) });
      target.failure = rejects(unavailable);

      const { receipts } = await store.consume([{ ...claim, terms: changedTerms(claim.terms, { onStoreFailure }) }]);
      await store.refund(receipts);
      await pass(2_000);

      expect(refund).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['first', 0, 1],
    ['last', 1, 0],
  ])('releases a permit whose renewal has failed before it ran, %s of two in flight', async (_which, one, other) => {
    const { target, store, claim, pass } = scene(running({ limit: 1 }));
    Object.assign(target, { link: linkOf(target, { changedNothing: (error) => error === unavailable }) });
    target.failure = rejects(unavailable);
    const { receipts } = await store.consume([claim]);
    target.failure = undefined;
    const renew = target.renew.bind(target);
    const settled: (() => unknown)[] = [];
    const inFlight = (result: () => unknown) =>
      new Promise<never>((resolve) => settled.push(async () => resolve((await result()) as never)));
    const replies = [() => [unavailable], () => renew(receipts)];
    jest.spyOn(target, 'renew').mockImplementation(() => inFlight(replies.shift()!));
    for (let second = 0; second < 11; second += 1) await pass(1_000);

    const sent = settled.length;
    for (const which of [one, other]) await settled[which]!();
    await pass(0);
    await store.refund(receipts);

    expect([sent, isAllowed(await target.consume([{ ...claim, name: 'another process' }]))]).toEqual([2, true]);
  });

  it('does not renew a permit that has ended when its renewal fails after its release', async () => {
    const { target, store, claim, pass } = scene(running({ limit: 1 }));
    const { receipts } = await store.consume([claim]);
    jest
      .spyOn(target, 'renew')
      .mockImplementationOnce(() => new Promise((_, reject) => setTimeout(() => reject(unavailable), 50)));
    for (let second = 0; second < 10; second += 1) await pass(1_000);
    await pass(10);
    await store.refund(receipts);

    await pass(50);
    await pass(2_000);

    expect(isAllowed(await target.consume([{ ...claim, name: 'another process' }]))).toBe(true);
  });

  it('lets the store decide about a key although the renewals of another key fail', async () => {
    const { target, store, claim, pass } = scene(running({ limit: 4 }));
    const bad = { ...claim, key: `${claim.key}:bad` };
    target.failure = rejects(unavailable);
    await store.consume([claim]);
    await store.consume([bad]);
    target.failure = undefined;
    const renew = target.renew.bind(target);
    jest.spyOn(target, 'renew').mockImplementation(async (receipts) => {
      const lapsed = await renew(receipts);
      return receipts.map(({ key }, index) => (key === bad.key ? unavailable : lapsed[index]!));
    });
    await pass(2_000);

    const sources = [await store.consume([claim]), await store.consume([bad])].map(({ source }) => source);

    expect(sources).toEqual(['memory', 'local']);
  });

  it('gives back to the store what it has charged when its answer does not count', async () => {
    const { target, store, claim, pass } = scene(running({ limit: 4 }));
    const rate = claimOf({ policy: { limit: 10, window: '1h' }, tier: 'rate', tag: newTag() });
    target.failure = rejects(unavailable);
    await take(store, claim);
    target.failure = undefined;
    jest.spyOn(target, 'renew').mockImplementation(rejects(unavailable));

    const { source } = await store.consume([rate, claim]);
    await pass(0);

    expect([source, (await target.peek([rate])).outcomes[0]!.remaining]).toEqual(['local', 10]);
  });

  it('repeats a release until the store confirms it', async () => {
    const { target, store, claim, pass } = scene(running({ limit: 1 }));
    const { receipts } = await store.consume([claim]);
    target.failure = rejects(unavailable);
    await store.refund(receipts);
    target.failure = undefined;

    const before = isAllowed(await target.consume([{ ...claim, name: 'early' }]));
    for (let second = 0; second < 12; second += 1) await pass(1_000);

    expect([before, isAllowed(await target.consume([{ ...claim, name: 'late' }]))]).toEqual([false, true]);
  });
});

describe('PermitLayer, a pause during an outage', () => {
  /** A pause that began during an outage, which is over. */
  async function paused() {
    const clock = fakeClock();
    const target = new FailingStore(clock);
    const local = memoryStore({ clock });
    const held = new HeldPermits();
    const answering = behindFallback(target, local, (claims) => tellLocal({ held, local, clock }, claims));
    const recover = answering.recover.bind(answering);
    const store = behindPermits(answering, { target, local, recover, held, clock });
    const claim = claimOf({ policy: { algorithm: 'pause' }, tier: 'pause', tag: newTag() });
    const other = claimOf({ policy: { algorithm: 'pause' }, tier: 'pause', tag: newTag() });
    target.failure = rejects(unavailable);
    await store.consume([chargedFor({ ...claim, cost: 20_000 }, 'all')]);
    clock.advance(5_000);
    target.failure = undefined;
    return { store, target, claim, other };
  }

  it('reaches the store with its rest, when the store answers another request', async () => {
    const { store, target, claim, other } = await paused();

    await store.consume([other]);
    await new Promise(setImmediate);
    const { outcomes } = await target.consume([claim]);

    expect(outcomes).toEqual([expect.objectContaining({ allowed: false, retryAfter: 15_000 })]);
  });

  it('reaches the store before a request of its key', async () => {
    const { store, claim } = await paused();

    const { source, outcomes } = await store.consume([claim]);

    expect({ source, allowed: outcomes[0]!.allowed }).toEqual({ source: 'memory', allowed: false });
  });

  it.each(['release', 'close'] as const)('reaches the store at %s', async (end) => {
    const { store, target, claim } = await paused();
    jest.spyOn(target, 'close').mockImplementation();

    await store[end](store);
    const { outcomes } = await target.consume([claim]);

    expect(outcomes).toEqual([expect.objectContaining({ allowed: false, retryAfter: 15_000 })]);
  });

  it('never reaches the store after a reset', async () => {
    const { store, target, claim, other } = await paused();

    await store.reset([claim.key]);
    await store.consume([other]);
    await new Promise(setImmediate);

    expect(isAllowed(await target.consume([claim]))).toBe(true);
  });
});

describe('PermitLayer, waiting', () => {
  const waiting = (more: object = {}) => running({ limit: 1, wait: '2s', ...more });

  it('admits a request that waits when a permit of this process is released', async () => {
    const { claim, open } = fleet(waiting());
    const store = open();
    const { receipts } = await store.consume([claim]);

    const waits = store.consume([claim]);
    await store.refund(receipts);

    expect(isAllowed(await waits)).toBe(true);
  });

  describe('on a store that receives a release before the checks behind it', () => {
    /** Answers of checks come two turns of the event loop later, and those of releases never. */
    function ordered() {
      const { claim, target } = fleet(waiting());
      const calls: string[] = [];
      const remote = Object.assign(Object.create(target) as typeof target, {
        async consume(group: readonly Claim[]) {
          calls.push('check');
          const answer = target.consume(group);
          await nextTurn();
          await nextTurn();
          return answer;
        },
        refund(receipts: Parameters<Store['refund']>[0]) {
          calls.push('release');
          void target.refund(receipts);
          return new Promise<number>(() => undefined);
        },
        outageOf: () => undefined,
        link: linkOf(target, { releaseFirst: () => [] }),
      });
      return { claim, calls, store: behindPermits(remote, { target: remote }) };
    }

    it('sends the next check before the answer to the release', async () => {
      const { claim, calls, store } = ordered();
      const { receipts } = await store.consume([claim]);
      const waits = store.consume([claim]);
      for (let turn = 0; turn < 4; turn += 1) await nextTurn();

      void store.refund(receipts);

      expect(isAllowed(await waits)).toBe(true);
      expect(calls).toEqual(['check', 'check', 'release', 'check']);
    });

    it('asks again for a request whose denial comes after the release', async () => {
      const { claim, calls, store } = ordered();
      const { receipts } = await store.consume([claim]);
      const waits = store.consume([claim]);

      void store.refund(receipts);

      expect(isAllowed(await waits)).toBe(true);
      expect(calls).toEqual(['check', 'check', 'release', 'check']);
    });
  });

  describe('on a store that other processes use too', () => {
    /** A limit of one unit, and the calls of the store. */
    function shared(more: object = {}) {
      const { claim, target, clock, pass } = fleet(waiting(more));
      const consume = jest.spyOn(target, 'consume');
      const store = behindPermits(target, {
        target,
        held: new HeldPermits(),
        clock,
        full: new FullKeys(clock),
      });
      return { claim, clock, consume, pass, store, target };
    }

    it('sends no check behind an admission that has taken the last unit', async () => {
      const { claim, consume, store } = shared();

      const { receipts } = await store.consume([claim]);
      const waits = Promise.resolve(store.consume([claim]));
      const before = consume.mock.calls.length;
      await store.refund(receipts);

      expect([before, isAllowed(await waits), consume.mock.calls.length]).toEqual([1, true, 2]);
    });

    it('sends the check when the first in line has paused', async () => {
      const { claim, consume, pass, store } = shared();
      await store.consume([claim]);
      void Promise.resolve(store.consume([claim]));

      pass(5);

      expect(consume).toHaveBeenCalledTimes(2);
      await store.close();
    });

    it('sends a check that comes a millisecond later immediately', async () => {
      const { claim, clock, consume, store } = shared();
      await store.consume([claim]);
      clock.advance(1);

      void Promise.resolve(store.consume([claim]));

      expect(consume).toHaveBeenCalledTimes(2);
      await store.close();
    });

    it('sends the check of a request that does not wait, because only the store can deny it', async () => {
      const { claim, consume, store, target } = shared({ limit: 2 });
      await take(target, { ...claim, name: 'of another process' });
      await store.consume([claim]);
      consume.mockClear();

      const impatient = await take(store, claim, { patience: { wait: 0 } });

      expect([impatient, consume.mock.calls.length]).toEqual([false, 1]);
    });
  });

  it('asks from time to time, because other processes release permits too', async () => {
    const { claim, open, pass } = fleet(waiting());
    const other = open();
    const { receipts } = await other.consume([claim]);
    const waits = Promise.resolve(open().consume([claim]));
    pass(1_000);

    await other.refund(receipts);
    pass(400);

    expect(isAllowed(await waits)).toBe(true);
  });

  it('denies when the time is over', async () => {
    const { claim, open, pass } = fleet(waiting());
    const store = open();
    await take(store, claim);
    const waits = Promise.resolve(store.consume([claim]));

    pass(2_000);

    expect(isAllowed(await waits)).toBe(false);
  });

  it('admits in the order of arrival, and lets no request overtake', async () => {
    const { claim, open } = fleet(waiting());
    const store = open();
    let { receipts } = await store.consume([claim]);
    const order: number[] = [];
    const waits = [1, 2, 3].map(async (number) => {
      const answer = await store.consume([claim]);
      order.push(number);
      return answer;
    });
    for (const each of waits) {
      await store.refund(receipts);
      ({ receipts } = await each);
    }

    expect(order).toEqual([1, 2, 3]);
  });

  it('denies immediately when the queue is full', async () => {
    const { claim, open } = fleet(waiting({ queue: 1 }));
    const store = open();
    await take(store, claim);
    void store.consume([claim]);

    expect(await take(store, claim)).toBe(false);
    await store.close();
  });

  it('lets no request overtake those that wait when the queue is full', async () => {
    const { claim, open, pass } = fleet(waiting({ queue: 1 }));
    const [store, other] = [open(), open()];
    const { receipts } = await other.consume([claim]);
    const waits = Promise.resolve(store.consume([claim]));
    await other.refund(receipts);

    const late = await store.consume([claim]);
    pass(400);

    expect(late.outcomes).toEqual([expect.objectContaining({ tier: 'running', allowed: false, remaining: 0 })]);
    expect(isAllowed(await waits)).toBe(true);
  });

  it('charges a tier that charges all requests once, when the wait is over', async () => {
    const { claim, open, pass, target } = fleet(waiting());
    const store = open();
    const hour = claimOf({ policy: { limit: 10, window: '1h' }, tier: 'hour', charge: 'all' });
    const left = () => target.peek([hour]).outcomes[0]!.remaining;
    await take(store, claim);
    const waits = Promise.resolve(store.consume([claim, hour]));

    for (let step = 0; step < 19; step += 1) pass(100);
    const during = left();
    pass(100);
    await waits;

    expect([during, left()]).toEqual([10, 9]);
  });

  it('adds one strike to a ban when the wait is over, and none when the request is admitted', async () => {
    const { claim, open, pass, target } = fleet(waiting());
    const store = open();
    const policy = { algorithm: 'backoff', limit: 10, window: '1h', delays: ['1h'], forgive: 'all' } as const;
    const ban = claimOf({ policy, tier: 'ban', charge: 'denied' });
    const strikes = () => 10 - target.peek([ban]).outcomes[0]!.remaining;
    const { receipts } = await store.consume([claim]);
    const waits = [store.consume([claim, ban]), store.consume([claim, ban])].map(async (each) => each);

    pass(1_000);
    await store.refund(receipts);
    pass(1_000);
    const answers = await Promise.all(waits);

    expect([answers.map(isAllowed), strikes()]).toEqual([[true, false], 1]);
  });

  it('gives back what it charges all requests when another process is faster', async () => {
    const { claim, open, pass, target } = fleet(waiting());
    const store = open();
    const hour = claimOf({ policy: { limit: 10, window: '1h' }, tier: 'hour', charge: 'all' });
    const peek = target.peek.bind(target);
    const free = target.peek([claim, hour]);
    await target.consume([{ ...claim, name: 'another process' }]);
    jest.spyOn(target, 'peek').mockImplementationOnce(() => free);

    const waits = Promise.resolve(store.consume([claim, hour]));
    pass(100);
    const during = peek([hour]).outcomes[0]!.remaining;
    await store.close();

    expect([during, isAllowed(await waits)]).toEqual([10, false]);
  });

  it('denies all that wait when it closes, and gives none of them a permit that ends', async () => {
    const { claim, open, target } = fleet(waiting());
    const store = open();
    await take(store, claim);
    const waits = [1, 2, 3].map(async () => store.consume([claim]));
    const consume = jest.spyOn(target, 'consume');

    await store.close();

    expect((await Promise.all(waits)).map(isAllowed)).toEqual([false, false, false]);
    expect(consume).not.toHaveBeenCalled();
  });

  it('rejects a request that leaves when the store is closed, because its signal has no caller to throw to', async () => {
    const { claim, open, target } = fleet(waiting());
    const store = open();
    await take(store, claim);
    const controller = new AbortController();
    const hour = claimOf({ policy: { limit: 10, window: '1h' }, tier: 'hour', charge: 'all' });
    const first = Promise.resolve(store.consume([claim]));
    const leaves = Promise.resolve(store.consume([claim, hour], { patience: { signal: controller.signal } }));

    await target.close();
    controller.abort();

    await expect(leaves).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect((await first).outcomes).toMatchObject([{ allowed: false }]);
  });

  it('gives back the permit of a request that has left while the store decided', async () => {
    const { claim, open, pass, target } = fleet(waiting());
    const [store, other] = [open(), open()];
    const { receipts } = await other.consume([claim]);
    const controller = new AbortController();
    const leaves = Promise.resolve(store.consume([claim], { patience: { signal: controller.signal } }));
    await other.refund(receipts);
    const decide = target.consume.bind(target);
    jest.spyOn(target, 'consume').mockImplementationOnce((group) => Promise.resolve(decide(group)) as never);

    pass(400);
    controller.abort();
    const left = await leaves;
    await new Promise(setImmediate);

    expect([isAllowed(left), await take(other, claim)]).toEqual([false, true]);
  });

  it('forgives no strike for a request that has left while the store decided', async () => {
    const { claim, open, pass, target } = fleet(waiting());
    const strikes = claimOf({
      policy: { algorithm: 'backoff', limit: 5, window: '1h', delays: ['1m'], forgive: 'all' },
      tier: 'strikes',
    });
    const [store, other] = [open(), open()];
    await other.consume([{ ...strikes, cost: 2 }]);
    const { receipts } = await other.consume([claim]);
    const controller = new AbortController();
    const leaves = Promise.resolve(store.consume([claim, strikes], { patience: { signal: controller.signal } }));
    await other.refund(receipts);
    const decide = target.consume.bind(target);
    jest.spyOn(target, 'consume').mockImplementationOnce((group) => Promise.resolve(decide(group)) as never);

    pass(400);
    controller.abort();
    const left = await leaves;
    await new Promise(setImmediate);

    expect([isAllowed(left), (await other.peek([strikes])).outcomes[0]!.remaining]).toEqual([false, 3]);
  });

  it('takes a request out whose signal fires', async () => {
    const { claim, open } = fleet(waiting());
    const store = open();
    const { receipts } = await store.consume([claim]);
    const controller = new AbortController();
    const leaves = store.consume([claim], { patience: { signal: controller.signal } });
    const stays = store.consume([claim]);

    controller.abort();
    await store.refund(receipts);

    expect([isAllowed(await leaves), isAllowed(await stays)]).toEqual([false, true]);
  });

  it('does not wait for a rate, and charges nothing while it waits', async () => {
    const { claim, open, pass, target } = fleet(waiting());
    const store = open();
    const rate = claimOf({ policy: { limit: 1, window: '1h' } });
    await store.consume([claim, rate]);

    const denied = await store.consume([claim, rate]);
    const other = claimOf();
    const waits = Promise.resolve(store.consume([claim, other]));
    pass(2_000);
    await waits;

    expect(denied.outcomes.map(({ allowed }) => allowed)).toContain(false);
    expect(target.peek([other]).outcomes[0]!.remaining).toBe(10);
  });
});
