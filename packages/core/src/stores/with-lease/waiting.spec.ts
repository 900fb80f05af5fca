import { claim as claimOf } from '../../testing/internal/claim.js';
import { settled } from '../../testing/internal/remote-store.js';
import { hundred, unitsComing } from '../../testing/internal/units-coming.js';
import { StoreError } from '../../model/errors.js';
import type { Claim } from '../../model/claim.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Answer } from '../store.js';

const lost = new StoreError('STORE_UNAVAILABLE', 'no reply');
const closed = new StoreError('STORE_CLOSED', 'this store has been closed');

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
});

afterEach(() => {
  jest.useRealTimers();
});

/** What has come so far of answers, in the order in which it came. */
function arrivals(answers: readonly MaybePromise<Answer>[]) {
  const arrived: [index: number, source: string, allowed: boolean][] = [];
  for (const [index, answer] of answers.entries()) {
    void Promise.resolve(answer).then(({ source, outcomes: [outcome] }) =>
      arrived.push([index, source, outcome!.allowed]),
    );
  }
  return arrived;
}

const orError = (answer: MaybePromise<Answer>) => Promise.resolve(answer).catch((error: unknown) => error);

const sourcesOf = async (answers: readonly MaybePromise<Answer>[]) =>
  (await Promise.all(answers)).map(({ source }) => source);

describe('A request of one tier', () => {
  it('waits for units that are on their way, and asks for nothing besides', async () => {
    const { store, claim, ask, arrive, calls } = await unitsComing();

    const answers = [ask(), ask(3), ask()];
    const arrived = arrivals(answers);
    await settled();
    const before = arrived.length;
    await arrive();

    expect(before).toBe(0);
    expect(arrived).toEqual([0, 1, 2].map((index) => [index, 'lease', true]));
    expect((await Promise.all(answers)).map(({ receipts }) => receipts.map(({ units }) => units))).toEqual([
      [1],
      [3],
      [1],
    ]);
    expect(calls()).toBe(0);
    expect(store.used(claim)).toBe(12 + 6);
  });

  it('waits each time anew', async () => {
    const { store, ask, arrive } = await unitsComing();
    const first = [ask(6)];
    await arrive();
    const way = store.delay();
    // It asks for itself, and fetches 6.
    void ask();
    store.way = Promise.resolve();

    const second = [ask(3), ask(3)];
    await way.arrive();

    expect(await sourcesOf([...first, ...second])).toEqual(['lease', 'lease', 'lease']);
  });

  it('asks the store for what is more than is coming and nobody waits for', async () => {
    const { ask, arrive } = await unitsComing();

    const answers = [ask(4), ask(3), ask(2), ask(1)];
    const arrived = arrivals(answers);
    await settled();
    const before = [...arrived];
    await arrive();

    expect(before).toEqual([
      [1, 'redis', true],
      [3, 'redis', true],
    ]);
    expect(await sourcesOf(answers)).toEqual(['lease', 'redis', 'lease', 'redis']);
  });

  it('is served in its turn where less has come, and asks the store where that does not suffice', async () => {
    const { store, claim, ask, arrive, calls } = await unitsComing({ policy: { ...hundred, limit: 15 } });

    const answers = [ask(2), ask(2), ask(1), ask(1)];
    const arrived = arrivals(answers);
    await arrive();

    expect(arrived.toSorted(([one], [other]) => one - other)).toEqual([
      [0, 'lease', true],
      [1, 'redis', false],
      [2, 'lease', true],
      [3, 'redis', false],
    ]);
    expect(calls()).toBe(2);
    expect(store.used(claim)).toBe(15);
  });

  it('asks the store where nothing has come', async () => {
    const { ask, arrive, calls } = await unitsComing({ policy: { ...hundred, limit: 12 } });

    const answers = [ask(), ask(2)];
    const arrived = arrivals(answers);
    await arrive();

    expect(arrived).toEqual([
      [0, 'redis', false],
      [1, 'redis', false],
    ]);
    expect(calls()).toBe(2);
  });

  it('asks the store where what comes has expired on its way, and that goes back', async () => {
    const { store, claim, ask, arrive } = await unitsComing();
    const answers = [ask(), ask()];

    store.clock.advance(1_001);
    await arrive();
    jest.advanceTimersByTime(1_001);
    await settled();

    expect(await sourcesOf(answers)).toEqual(['redis', 'redis']);
    expect(store.used(claim)).toBe(12 + 2);
  });

  it('gives back what it was served, as anybody does', async () => {
    const { store, leasing, claim, ask, arrive } = await unitsComing();
    const answers = [ask(2), ask(3)];
    await arrive();
    const [first] = await Promise.all(answers);

    const given = await leasing.refund(first!.receipts);
    await leasing.release();

    expect(given).toBe(2);
    expect(store.used(claim)).toBe(12 + 3);
  });
});

describe('What does not wait for units on their way', () => {
  it('is a request of several tiers', async () => {
    const { store, leasing, claim, calls } = await unitsComing();
    const other = claimOf({ tier: 'other' });

    const { source } = await leasing.consume([claim, other]);

    expect(source).toBe('redis');
    expect(calls()).toBe(1);
    expect(store.groups.at(-1)!.map(({ tier }) => tier)).toEqual(['hour', 'other']);
  });

  it('is a peek', async () => {
    const { store, leasing, claim } = await unitsComing();

    const { source } = await leasing.peek([claim]);

    expect([source, store.peeks]).toEqual(['redis', 1]);
  });
});

describe('Whoever waits for units that cannot be fetched', () => {
  it('is told of the failure', async () => {
    const { ask, lose, calls } = await unitsComing();

    const answers = [ask(), ask(2)].map(orError);
    await lose(lost);

    expect(await Promise.all(answers)).toEqual([lost, lost]);
    expect(calls()).toBe(0);
  });

  it('is told what is made of the failure', async () => {
    const elsewhere: Answer = { outcomes: [], receipts: [], source: 'none', fallback: 'allow' };
    const recover = jest.fn((_error: unknown, [claim]: readonly Claim[]): MaybePromise<Answer> => {
      if (claim!.cost === 3) throw closed;
      return claim!.cost === 2 ? Promise.reject(closed) : elsewhere;
    });
    const { store, claim, ask, lose } = await unitsComing();
    store.recover = recover as never;

    const answers = [ask(), ask(2), ask(3)].map(orError);
    await lose(lost);

    expect(await Promise.all(answers)).toEqual([elsewhere, closed, closed]);
    expect(recover.mock.calls).toEqual([1, 2, 3].map((cost) => [lost, [{ ...claim, cost }]]));
  });

  it('keeps nobody who comes later waiting', async () => {
    const { ask, lose } = await unitsComing();
    const waiting = orError(ask());
    await lose(lost);

    const first = await ask();
    await settled();
    const second = await ask();

    expect(await waiting).toBe(lost);
    expect([first.source, second.source]).toEqual(['redis', 'lease']);
  });
});
