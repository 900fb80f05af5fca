import { claim as claimOf } from '../../testing/internal/claim.js';
import { settled } from '../../testing/internal/remote-store.js';
import { hundred, unitsComing } from '../../testing/internal/units-coming.js';
import { StoreError } from '../../model/errors.js';

const closed = new StoreError('STORE_CLOSED', 'this store has been closed');

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
});

afterEach(() => {
  jest.useRealTimers();
});

describe('A request that waits for units on their way', () => {
  it('asks the store when its key is reset, and nothing else is charged or given back', async () => {
    const { store, leasing, claim, ask, arrive } = await unitsComing();
    const waiting = ask();

    await leasing.reset([claim.key]);
    await arrive();
    await leasing.release();

    expect(await waiting).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }], receipts: [{ units: 1 }] });
    expect(store.used(claim)).toBe(1);
    expect(store.refunds).toEqual([]);
  });

  it('is not waited with by those who ask after a reset', async () => {
    const { store, leasing, claim, ask, arrive } = await unitsComing();
    const waiting = ask();

    await leasing.reset([claim.key]);
    const after = await ask();
    await arrive();

    expect([(await waiting).source, after.source]).toEqual(['redis', 'redis']);
    expect(store.used(claim)).toBe(2);
  });

  it('asks the store under its own limit when another one holds, and what comes goes back', async () => {
    const { store, leasing, claim, ask, arrive } = await unitsComing();
    const { policy } = claimOf({ policy: { ...hundred, limit: 50 } });
    const waiting = ask();

    const other = await leasing.consume([{ ...claim, policy }]);
    await arrive();

    expect([await waiting, other]).toMatchObject([
      { source: 'redis', outcomes: [{ allowed: true, limit: 100 }] },
      { source: 'redis', outcomes: [{ allowed: true, limit: 50 }] },
    ]);
    expect(store.used(claim)).toBe(12 + 2);
  });

  it('asks the store on release, and what comes goes back', async () => {
    const { store, leasing, claim, ask, arrive } = await unitsComing();
    const waiting = ask();

    const released = leasing.release();
    await arrive();
    await released;

    expect(await waiting).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
    expect(store.used(claim)).toBe(12 + 1);
  });

  it('is not denied on release for want of what goes back', async () => {
    const { store, leasing, claim, ask, arrive } = await unitsComing({ policy: { ...hundred, limit: 18 } });
    const waiting = ask();

    const released = leasing.release();
    await arrive();
    await released;

    expect((await waiting).outcomes).toMatchObject([{ allowed: true }]);
    expect(store.used(claim)).toBe(12 + 1);
  });

  it('is answered before the store is closed', async () => {
    const { store, leasing, ask, arrive } = await unitsComing();
    const close = jest.spyOn(store, 'close');
    const waiting = ask();

    const ended = leasing.close();
    await settled();
    const before = close.mock.calls.length;
    await arrive();
    await ended;

    expect([before, close.mock.calls.length]).toEqual([0, 1]);
    expect(await waiting).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
  });

  it.each([
    ['rejects', () => Promise.reject(closed)],
    [
      'throws',
      () => {
        throw closed;
      },
    ],
  ])('is told of it where the store %s that it asks in the end', async (_how, consume) => {
    const { store, ask, arrive, claim } = await unitsComing({ policy: { ...hundred, limit: 13 } });
    const answers = [ask(2), ask(1)];
    const told = Promise.resolve(answers[0]!).catch((error: unknown) => error);

    jest.spyOn(store, 'consume').mockImplementation(consume);
    await arrive();

    expect(await told).toBe(closed);
    expect((await answers[1]!).source).toBe('lease');
    expect(store.used(claim)).toBe(13);
  });
});
