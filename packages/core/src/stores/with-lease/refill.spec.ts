import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { StoreError } from '../../model/errors.js';
import { claim as claimOf, type ClaimOptions } from '../../../../../test/support/claim.js';
import { RemoteStore, settled } from '../../../../../test/support/remote-store.js';
import { DenyCache } from '../between-processes/deny-cache.js';
import type { Answer } from '../../model/answer.js';
import { HotKeys } from './hot-keys.js';
import { behindLease } from '../../../../../test/support/layered-stores.js';

const hundred: PolicyOptions = { algorithm: 'fixed-window', limit: 100, window: '1h' };
const lost = new StoreError('STORE_UNAVAILABLE', 'no reply');
const closed = new StoreError('STORE_CLOSED', 'this store has been closed');

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
});

afterEach(() => {
  jest.useRealTimers();
});

/** A lease without units in hand, and a refill of 6 in flight. 12 units are spent. */
async function refilling(options: ClaimOptions = {}) {
  const store = new RemoteStore();
  const leased = behindLease(store, {
    fetchFrom: store,
    denials: new DenyCache(),
    clock: store.clock,
    hotKeys: new HotKeys(1, 1),
  });
  const claim = claimOf({ policy: hundred, lease: { units: 8, duration: 1_000 }, ...options });
  const six = [{ ...claim, cost: 6 }];
  await leased.consume(six);
  const way = store.delay();
  void Promise.resolve(leased.consume(six)).catch(() => undefined);
  // The store answers later requests immediately.
  store.way = Promise.resolve();
  await settled();
  const sent = store.groups.length;
  const consume = (cost = 1) => leased.consume([{ ...claim, cost }]);
  return { store, leased, claim, consume, ...way, calls: () => store.groups.length - sent };
}

const orError = (answer: MaybePromise<Answer>) => Promise.resolve(answer).catch((error: unknown) => error);

const sourcesOf = async (answers: readonly MaybePromise<Answer>[]) =>
  (await Promise.all(answers)).map(({ source }) => source);

const allowedOf = async (answers: readonly MaybePromise<Answer>[]) =>
  (await Promise.all(answers)).map(({ outcomes }) => outcomes[0]!.allowed);

/** The answers that have arrived so far, by their number. */
function arrivals(answers: readonly MaybePromise<Answer>[]): number[] {
  const arrived: number[] = [];
  for (const [number, answer] of answers.entries()) void Promise.resolve(answer).then(() => arrived.push(number));
  return arrived;
}

function raise(): never {
  throw closed;
}

describe('LeaseLayer, with a refill in flight', () => {
  it.each([
    ['keeps', 'nothing', 94, true],
    ['drops', 'units', 90, false],
  ])('%s the denial of a key when a refill brings %s', async (_verb, _what, others, isKept) => {
    const store = new RemoteStore();
    const denials = new DenyCache(store.clock);
    const hotKeys = new HotKeys(1, 1);
    const leased = behindLease(store, { fetchFrom: store, denials, clock: store.clock, hotKeys });
    const claim = claimOf({ policy: hundred, lease: { units: 8, duration: 1_000 } });
    const six = [{ ...claim, cost: 6 }];
    await leased.consume(six);
    await store.consume([{ ...claim, cost: others }]);

    const answer = await leased.consume(six);
    denials.remember(six, { ...answer, sentAt: store.clock() });
    await settled();

    expect(answer.outcomes[0]!.allowed).toBe(false);
    expect(denials.answerTo(six) !== undefined).toBe(isKept);
  });

  it('serves requests from the refill, in their order, without calls of their own', async () => {
    const { store, claim, consume, arrive, calls } = await refilling();

    const answers = [consume(), consume(3), consume()];
    const arrived = arrivals(answers);
    await settled();
    const before = [...arrived];
    await arrive();

    expect([before, arrived]).toEqual([[], [0, 1, 2]]);
    expect(await sourcesOf(answers)).toEqual(['lease', 'lease', 'lease']);
    expect((await Promise.all(answers)).map(({ receipts }) => receipts[0]!.units)).toEqual([1, 3, 1]);
    expect([calls(), store.used(claim)]).toEqual([0, 12 + 6]);
  });

  it('sends requests that the refill is too small for to the store', async () => {
    const { consume, arrive } = await refilling();

    const answers = [consume(4), consume(3), consume(2), consume(1)];
    const arrived = arrivals(answers);
    await settled();
    const before = [...arrived];
    await arrive();

    expect(before).toEqual([1, 3]);
    expect(await sourcesOf(answers)).toEqual(['lease', 'redis', 'lease', 'redis']);
  });

  it.each([
    ['fewer units', 15, ['lease', 'redis', 'lease', 'redis'], [true, false, true, false]],
    ['no units', 12, ['redis', 'redis', 'redis', 'redis'], [false, false, false, false]],
  ])('sends requests to the store when %s arrive', async (_how, limit, sources, allowed) => {
    const { store, claim, consume, arrive } = await refilling({ policy: { ...hundred, limit } });

    const answers = [consume(2), consume(2), consume(1), consume(1)];
    await arrive();

    expect(await sourcesOf(answers)).toEqual(sources);
    expect(await allowedOf(answers)).toEqual(allowed);
    expect(store.used(claim)).toBe(limit);
  });

  it('sends requests to the store when units arrive expired, and gives those back', async () => {
    const { store, claim, consume, arrive } = await refilling();
    const answers = [consume(), consume()];

    store.clock.advance(1_001);
    await arrive();
    jest.advanceTimersByTime(1_001);
    await settled();

    expect(await sourcesOf(answers)).toEqual(['redis', 'redis']);
    expect(store.used(claim)).toBe(12 + 2);
  });

  it('sends requests of several tiers to the store, and peeks', async () => {
    const { store, leased, claim } = await refilling();

    const consumed = await leased.consume([claim, claimOf({ tier: 'other' })]);
    const peeked = await leased.peek([claim]);

    expect([consumed.source, peeked.source]).toEqual(['redis', 'redis']);
    expect(store.groups.at(-1)!.map(({ tier }) => tier)).toEqual(['hour', 'other']);
    expect(store.peeks).toBe(1);
  });

  it('recovers requests when the refill fails, and serves later requests by the next one', async () => {
    const { store, claim, consume, lose, calls } = await refilling();
    const elsewhere: Answer = { outcomes: [], receipts: [], source: 'none', fallback: 'allow' };
    const recover = jest.spyOn(store, 'recover').mockImplementation(((_error: unknown, [one]: [{ cost: number }]) => {
      if (one.cost === 3) throw closed;
      return one.cost === 2 ? Promise.reject(closed) : elsewhere;
    }) as never);

    const answers = [consume(), consume(2), consume(3)].map(orError);
    await lose(lost);

    expect(await Promise.all(answers)).toEqual([elsewhere, closed, closed]);
    expect(recover.mock.calls).toEqual([1, 2, 3].map((cost) => [lost, [{ ...claim, cost }]]));
    expect(calls()).toBe(0);

    const later = [await consume()];
    await settled();
    later.push(await consume());
    expect(await sourcesOf(later)).toEqual(['redis', 'lease']);
  });

  it.each([
    ['rejects', async () => Promise.reject(closed)],
    ['throws', raise],
  ])('rejects a request that the store %s in the end', async (_how, consumeOfStore) => {
    const { store, consume, arrive, claim } = await refilling({ policy: { ...hundred, limit: 13 } });
    const answers = [orError(consume(2)), orError(consume(1))];

    // The refill of 6 takes the last unit by another call.
    const takeTheLast = store.consume.bind(store);
    jest.spyOn(store, 'consume').mockImplementationOnce(takeTheLast).mockImplementation(consumeOfStore);
    await arrive();

    expect(await answers[0]).toBe(closed);
    expect(await answers[1]).toMatchObject({ source: 'lease' });
    expect(store.used(claim)).toBe(13);
  });

  it('sends waiting and later requests to the store after a reset, and charges nothing else', async () => {
    const { store, leased, claim, consume, arrive } = await refilling();
    const waiting = consume();

    await leased.reset([claim.key]);
    const later = await consume();
    await arrive();
    await leased.release();

    expect(await sourcesOf([waiting, later])).toEqual(['redis', 'redis']);
    expect(await allowedOf([waiting, later])).toEqual([true, true]);
    expect(store.used(claim)).toBe(2);
    expect(store.refunds).toEqual([]);
  });

  it('sends a waiting request to the store by its own limit when the limit changes, and gives the refill back', async () => {
    const { store, leased, claim, consume, arrive } = await refilling();
    const { policy } = claimOf({ policy: { ...hundred, limit: 50 } });
    const waiting = consume();

    const other = await leased.consume([{ ...claim, policy }]);
    await arrive();

    expect([await waiting, other]).toMatchObject([
      { source: 'redis', outcomes: [{ allowed: true, limit: 100 }] },
      { source: 'redis', outcomes: [{ allowed: true, limit: 50 }] },
    ]);
    expect(store.used(claim)).toBe(12 + 2);
  });

  // With a limit of 18, the waiting request needs the units that go back.
  it.each([100, 18])('sends a waiting request to the store on release, after the units (limit %i)', async (limit) => {
    const { store, leased, claim, consume, arrive } = await refilling({
      policy: { ...hundred, limit },
    });
    const waiting = consume();

    const released = leased.release();
    await arrive();
    await released;

    expect(await waiting).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
    expect(store.used(claim)).toBe(12 + 1);
  });

  it('answers a waiting request before it closes the store', async () => {
    const { store, leased, consume, arrive } = await refilling();
    const close = jest.spyOn(store, 'close');
    const waiting = consume();

    const ended = leased.close();
    await settled();
    const before = close.mock.calls.length;
    await arrive();
    await ended;

    expect([before, close.mock.calls.length]).toEqual([0, 1]);
    expect(await waiting).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
  });
});
