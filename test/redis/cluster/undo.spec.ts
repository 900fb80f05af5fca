import { createLimiter, loginTiers, type Store } from '@sluice/http';
import type { Claim } from '@sluice/core/own-store';
import { redisStore, type RedisStore } from '@sluice/redis';
import { candidate, consumeGroup, peekGroup } from '../../../packages/core/src/algorithms/group.js';
import type { PolicyOptions } from '../../../packages/core/src/algorithms/named/policy-options.js';
import { chargedFor } from '../../../packages/core/src/model/claim.js';
import { memoryStore } from '../../../packages/core/src/stores/memory/memory-store.js';
import type { LegibleStore, Reading } from '../../../packages/core/src/stores/store.js';
import { claim, everyPolicy } from '../../support/claim.js';
import { withCluster } from '../../support/cluster.js';
import { until } from '../../support/until.js';
import { slotsOf, type Slots } from './slots.js';

const strikes = (limit: number, forgive: 'all' | 'one'): PolicyOptions => ({
  algorithm: 'backoff',
  limit,
  window: '1h',
  delays: ['20ms'],
  forgive,
});

/** Every algorithm and form of state. */
const KINDS: [name: string, policy: PolicyOptions, options?: Partial<Claim>][] = [
  ...everyPolicy(5),
  ['sliding-window of counts', { limit: 100, window: '1h' }],
  ['sliding-window of counts in 10 slots', { limit: 100, window: '1h', precision: 10 }],
  ['sliding-window of counts, strict', { limit: 100, window: '1h', strict: true }],
  ['token-bucket with an overdraft', { algorithm: 'token-bucket', limit: 60, window: '1h', burst: 5, overdraft: 9 }],
  ['concurrency', { algorithm: 'concurrency', limit: 5 }],
  ['backoff that forgives all', strikes(5, 'all')],
  ['backoff that forgives one', strikes(5, 'one')],
  ['backoff after a block', strikes(1, 'all')],
  ['pause', { algorithm: 'pause' }],
  ['shadow tier', { algorithm: 'fixed-window', limit: 5, window: '1h' }, { shadow: true }],
];

describe('a request over two slots', () => {
  const opened = withCluster();
  let slots: Slots;
  let store: Store & LegibleStore;

  beforeAll(async () => {
    slots = await slotsOf(opened.cluster);
    store = redisStore(opened.client, { deadline: 2_000 }) as RedisStore & LegibleStore;
  });

  afterAll(async () => {
    await store.close();
    slots.close();
  });

  /** A tier of a kind in one slot, and a tier of one unit in another. */
  async function scene(policy: PolicyOptions, options: Partial<Claim> = {}) {
    const [tag, other] = await Promise.all([slots.tagOn(0), slots.tagOn(1)]);
    const tested = claim({ tier: 'tested', tag, policy, ...options });
    const tight = claim({ tier: 'tight', tag: other, policy: { algorithm: 'fixed-window', limit: 1, window: '1h' } });
    let permits = 0;
    const named = (): Claim =>
      tested.policy.algorithm.endsWithRequest ? { ...tested, name: `permit-${(permits += 1)}` } : tested;
    const readState = async () => (await store.read([tested]))[0]!;
    return {
      tested,
      tight,
      named,
      readState,
      /** Admitted requests of the tier alone. */
      use: async (requests: number) => {
        for (let request = 0; request < requests; request += 1) {
          await until(async () => (await store.consume([named()])).outcomes[0]!.allowed);
        }
        await until(async () => (await store.peek([tested])).outcomes[0]!.allowed);
      },
      /** True when both states give every later request the same answer. */
      isAsBefore: async (before: Reading) => {
        const { now, state } = await readState();
        return futureOf(tested, before.state, now) === futureOf(tested, state, now);
      },
    };
  }

  describe.each(KINDS)('to a %s', (_name, policy, options) => {
    it.each([0, 2])('leaves no trace of itself when the other slot denies it after %d others', async (requests) => {
      const { tight, named, use, readState, isAsBefore } = await scene(policy, options);
      await use(requests);
      await store.consume([tight]);
      const before = await readState();

      const { outcomes, receipts } = await store.consume([named(), tight]);

      expect(outcomes.map(({ allowed }) => allowed)).toEqual([true, false]);
      expect(receipts).toEqual([]);
      expect(await isAsBefore(before)).toBe(true);
    });

    it.each([0, 2])('leaves no trace of itself when the other slot fails after %d others', async (requests) => {
      const { tight, named, use, readState, isAsBefore } = await scene(policy, options);
      await use(requests);
      await opened.client.rpush(tight.key, 'unreadable');
      const before = await readState();

      const failing = store.consume([named(), tight]);

      await expect(failing).rejects.toMatchObject({ name: 'StoreError' });
      await until(() => isAsBefore(before));
    });

    it('leaves no trace of itself when the slot of its queue fails', async () => {
      const { tight, named, use, readState, isAsBefore } = await scene(policy, options);
      await use(1);
      const queue = {
        ...tight,
        policy: claim({ policy: { algorithm: 'leaky-bucket', limit: 1, window: '1h', queue: 5 } }).policy,
      };
      await opened.client.rpush(queue.key, 'unreadable');
      const before = await readState();

      const failing = store.consume([named(), queue]);

      await expect(failing).rejects.toMatchObject({ name: 'StoreError' });
      await until(() => isAsBefore(before));
    });
  });

  it('withdraws a pause in one slot when the other fails', async () => {
    const { tested, tight, readState } = await scene({ algorithm: 'pause' });
    await opened.client.rpush(tight.key, 'unreadable');

    const failing = store.consume([chargedFor({ ...tested, cost: 60_000 }, 'all'), tight]);

    await expect(failing).rejects.toMatchObject({ name: 'StoreError' });
    await until(async () => (await readState()).state === undefined);
  });

  it('is counted by loginTiers as on one server, from any number of addresses', async () => {
    const account = 'ada';
    const guesses = async (from: Store) => {
      const limiter = createLimiter({ store: from, tiers: loginTiers<{ ip: string }>({ account: () => account }) });
      let admitted = 0;
      for (let address = 0; address < 40; address += 1) {
        for (let attempt = 0; attempt < 9; attempt += 1) {
          if ((await limiter.consume({ ip: `203.0.113.${address}` })).allowed) admitted += 1;
        }
      }
      return admitted;
    };

    expect([await guesses(store), await guesses(memoryStore())]).toEqual([90, 90]);
  });
});

/** The rulings on requests of several costs at several later times, each also after another one. */
function futureOf(tested: Claim, state: unknown, now: number): string {
  const { policy } = tested;
  const costs = [0, 1, 2, Math.min(policy.capacity, policy.quota)];
  const times = [0, 1e3, policy.window / 3, policy.window - 1e6, policy.window - 1, policy.window, 2 * policy.window];
  const rulings = times.flatMap((later) =>
    costs.map((cost) => {
      const first = candidate({ ...tested, cost }, state);
      // A charge changes a state of permits itself.
      const decide = policy.algorithm.endsWithRequest ? peekGroup : consumeGroup;
      decide([first], now + Math.floor(later));
      if (policy.algorithm.endsWithRequest) return first.ruling;
      const second = candidate(tested, first.changed ? first.state : state);
      consumeGroup([second], now + Math.floor(later) + 1_000);
      return [first.ruling, second.ruling];
    }),
  );
  return JSON.stringify(rulings);
}
