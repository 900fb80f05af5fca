import { createLimiter, memoryStore, type Limiter } from '@sluice/core';
import { Fleet, jain, type Tenant } from './tenants.js';
import { fairBy } from '@sluice/overload/fair';

const HOLD_MS = 100;
/** The longest pause between two attempts of a process. */
const POLL_MS = 400;
/** A tenant sends once in 700 ms where the longest wait is looked for. */
const LONG_MS = 8_000;
const RUN_MS = 4_000;

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

const tenants = (count: number): Tenant[] => Array.from({ length: count }, (_, index) => ({ name: `tenant ${index}` }));

describe.each([1, 4])('a shared limit in flight of %i processes', (processes) => {
  it('gives greedy tenants of equal weight equal parts, and is never idle', async () => {
    const fleet = new Fleet({ processes });
    for (const [index, tenant] of tenants(5).entries()) fleet.floods(tenant, index === 0 ? 200 : 24);

    await fleet.works(1_000);
    await fleet.works(RUN_MS);
    const [index, used] = [jain([...fleet.worked.values()]), fleet.used(RUN_MS)];
    await fleet.end();

    expect(index).toBeGreaterThan(0.95);
    expect(used).toBeGreaterThan(0.98);
  });

  it('gives tenants parts by their weights', async () => {
    const fleet = new Fleet({ processes });
    fleet.floods({ name: 'pro', weight: 3 }, 40);
    fleet.floods({ name: 'free' }, 40);

    await fleet.works(1_000);
    await fleet.works(RUN_MS);
    const ratio = fleet.worked.get('pro')! / fleet.worked.get('free')!;
    await fleet.end();

    expect(ratio).toBeGreaterThan(2.7);
    expect(ratio).toBeLessThan(3.3);
  });

  it('has a quiet tenant beside a flood wait one hold at most, and the time until its process asks again', async () => {
    const fleet = new Fleet({ processes });
    fleet.floods({ name: 'flood' }, 100, processes - 1);
    fleet.sends({ name: 'quiet' }, 700);

    await fleet.works(LONG_MS);
    const wait = fleet.longestWait.get('quiet')!;
    await fleet.end();

    expect(wait).toBeLessThanOrEqual(HOLD_MS + (processes === 1 ? 0 : POLL_MS));
  });

  it('gives one tenant all that the others do not want', async () => {
    const fleet = new Fleet({ processes });
    fleet.floods({ name: 'flood' }, 100);
    fleet.sends({ name: 'quiet' }, 2_000);

    await fleet.works(1_000);
    await fleet.works(RUN_MS);
    const used = fleet.used(RUN_MS);
    await fleet.end();

    expect(used).toBeGreaterThan(0.98);
  });
});

describe('a limit in flight without shares', () => {
  it('gives a flood of 20 times the requests nearly all of it', async () => {
    const fleet = new Fleet({ fair: false });
    fleet.floods({ name: 'flood' }, 400);
    fleet.floods({ name: 'other' }, 20);

    await fleet.works(1_000);
    await fleet.works(RUN_MS);
    const index = jain([...fleet.worked.values()]);
    await fleet.end();

    expect(index).toBeLessThan(0.65);
  });
});

describe('a shared limit without waiting', () => {
  let limiter: Limiter<Tenant>;
  const take = async (name: string, weight?: number) => limiter.consume({ name, ...(weight && { weight }) });
  const takeAll = async (name: string) => {
    const taken = [await take(name)];
    while (taken.at(-1)!.allowed) taken.push(await take(name));
    return taken.slice(0, -1);
  };

  beforeEach(() => {
    limiter = createLimiter<Tenant>({
      store: memoryStore({ clock: () => Date.now() }),
      name: 'workers',
      key: () => 'all',
      algorithm: 'concurrency',
      limit: 4,
      fair: fairBy(({ name }) => name, { weight: ({ weight = 1 }) => weight }),
    });
  });

  it('lets a tenant take all while no other is denied, and then denies it above its share', async () => {
    const taken = await takeAll('ada');
    const denied = await take('bob');
    await limiter.release(taken[0]!);

    const ada = await take('ada');
    const bob = await take('bob');

    expect([taken.length, denied.allowed, ada.allowed, bob.allowed]).toEqual([4, false, false, true]);
    expect(ada.binding).toMatchObject({ tier: 'workers', remaining: 1, retryAfter: 1_000 });
  });

  it('gives a denied tenant up when it has not come back for two seconds', async () => {
    const taken = await takeAll('ada');
    await take('bob');
    await limiter.release(taken[0]!);

    await jest.advanceTimersByTimeAsync(1_999);
    const before = await take('ada');
    await jest.advanceTimersByTimeAsync(1);

    expect([before.allowed, (await take('ada')).allowed]).toEqual([false, true]);
  });

  it('reserves no more than the denied tenants want', async () => {
    const taken = await takeAll('ada');
    await take('bob');
    for (const each of taken.slice(0, 2)) await limiter.release(each);

    const peeked = await limiter.peek({ name: 'ada' });

    expect([peeked.allowed, (await take('ada')).allowed, (await take('ada')).allowed]).toEqual([true, true, false]);
  });

  it.each<[string, number, boolean]>([
    ['admits a tenant of weight 3 up to three quarters', 3, true],
    ['denies a tenant of equal weight above the half that another waits for', 1, false],
  ])('%s', async (_name, weight, allowed) => {
    const taken = await takeAll('ada');
    // Ada holds three and was denied a fourth, bob holds one.
    await limiter.release(taken[0]!);
    await take('bob', weight);
    await limiter.release(taken[1]!);
    await take('bob', weight);
    await limiter.release(taken[2]!);

    const bob = await take('bob', weight);

    expect(bob.allowed).toBe(allowed);
  });

  it('remembers no tenant that another tier denies', async () => {
    const tiers = [
      {
        name: 'workers',
        key: () => 'all',
        algorithm: 'concurrency',
        limit: 2,
        fair: fairBy(({ name }: Tenant) => name),
      },
      { name: 'hour', key: ({ name }: Tenant) => name, limit: 4, window: '1h' },
    ] as const;
    limiter = createLimiter<Tenant>({ store: memoryStore({ clock: () => Date.now() }), tiers });
    for (let spent = 0; spent < 4; spent += 1) await limiter.release(await take('bob'));
    const taken = [await take('ada'), await take('ada')];

    const bob = await take('bob');
    await limiter.release(taken[0]!);

    expect([bob.deniedBy, (await take('ada')).allowed]).toEqual([['hour', 'workers'], true]);
  });
});
