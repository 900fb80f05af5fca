import * as fc from 'fast-check';
import { claim as claimOf, type ClaimOptions } from '../testing/internal/claim.js';
import { RemoteStore } from '../testing/internal/remote-store.js';
import type { Claim } from '../model/claim.js';
import type { PolicyOptions } from '../algorithms/policy-options.js';
import type { Store } from './store.js';
import { DenialCache } from './denial-cache.js';
import { withDenyCache } from './with-deny-cache.js';

const one: PolicyOptions = { algorithm: 'fixed-window', limit: 1, window: '10s' };

function scene(policy: PolicyOptions = one, more: ClaimOptions = {}) {
  const store = new RemoteStore();
  const cache = withDenyCache(store, new DenialCache(store.clock));
  const claim = claimOf({ policy, ...more });
  return { store, cache, claim };
}

/** A claim that was denied. */
async function denied(policy: PolicyOptions = one, more: ClaimOptions = {}) {
  const { store, cache, claim } = scene(policy, more);
  const { receipts } = await cache.consume([{ ...claim, cost: claim.policy.capacity }]);
  await cache.consume([claim]);
  return { store, cache, claim, receipts };
}

const sourceOf = async (store: Pick<Store, 'consume'>, claim: Claim) => (await store.consume([claim])).source;

describe('A deny cache', () => {
  it('answers for a key that was denied, without asking', async () => {
    const { store, cache, claim } = await denied();

    const answer = await cache.consume([claim]);

    expect(answer).toMatchObject({ source: 'deny-cache', receipts: [] });
    expect(answer.outcomes).toMatchObject([{ tier: 'hour', allowed: false, never: false, limit: 1, remaining: 0 }]);
    expect(store.groups).toHaveLength(2);
  });

  it('asks for a key that was admitted', async () => {
    const { cache, claim } = scene({ ...one, limit: 10 });

    const sources = [await sourceOf(cache, claim), await sourceOf(cache, claim)];

    expect(sources).toEqual(['redis', 'redis']);
  });

  it('lets the times of an outcome pass', async () => {
    const { store, cache, claim } = await denied();

    store.clock.advance('4s');
    const { outcomes } = await cache.consume([claim]);

    expect(outcomes).toMatchObject([{ retryAfter: 6_000, replenishAfter: 6_000, resetAfter: 6_000 }]);
  });

  it('says the same within a millisecond, to each what nobody else can change', async () => {
    const { store, cache, claim } = await denied();
    const outcomeAfter = async (pause: number) => {
      store.clock.advance(pause);
      return (await cache.consume([claim])).outcomes[0]!;
    };

    const [first, second, third] = [await outcomeAfter(3.25), await outcomeAfter(0.5), await outcomeAfter(0.25)];

    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect([first, third].map(({ retryAfter }) => retryAfter)).toEqual([9_997, 9_996]);
  });

  it('lets the times of an outcome pass from one millisecond to the next, whenever it is asked', async () => {
    const policy: PolicyOptions = { algorithm: 'token-bucket', limit: 10, window: '10s' };
    // Binary fractions, so that sums of them are exact.
    const pauses = fc.array(
      fc.nat(2_000).map((eighths) => eighths / 8),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(100), pauses, async (start, each) => {
        const { store, cache, claim } = scene(policy, { cost: 10 });
        store.clock.advance(start / 8);
        await cache.consume([claim]);
        const [told] = (await cache.consume([claim])).outcomes;
        let elapsed = 0;

        for (const pause of each) {
          store.clock.advance(pause);
          elapsed += pause;
          const { outcomes, source } = await cache.consume([claim]);

          const left = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds - elapsed));
          expect(source).toBe('deny-cache');
          expect(outcomes).toEqual([
            {
              ...told!,
              retryAfter: left(told!.retryAfter),
              replenishAfter: left(told!.replenishAfter),
              resetAfter: left(told!.resetAfter),
            },
          ]);
        }
        store.memory.close();
      }),
    );
  });

  it('says that something is left to wait as long as it denies', async () => {
    const { store, cache, claim } = await denied({ algorithm: 'token-bucket', limit: 10, window: '10s' }, { cost: 5 });

    store.clock.advance('4500ms');
    const { outcomes } = await cache.consume([claim]);

    expect(outcomes).toMatchObject([{ allowed: false, retryAfter: 500, replenishAfter: 1, resetAfter: 5_500 }]);
  });

  it('lets time pass from when it was told, so that having waited is enough', async () => {
    const { store, cache, claim } = scene();
    await cache.consume([claim]);
    const way = store.delay();
    const answer = cache.consume([claim]);
    store.clock.advance('30ms');
    await way.arrive();
    await answer;

    const { outcomes } = await cache.consume([claim]);

    expect(outcomes).toMatchObject([{ retryAfter: 10_000 }]);
  });

  it('asks again once 0.999 of the time has passed, from when it had asked', async () => {
    const { store, cache, claim } = scene();
    await cache.consume([claim]);
    const way = store.delay();
    const answer = cache.consume([claim]);
    store.clock.advance('30ms');
    await way.arrive();
    await answer;

    store.clock.advance('9950ms');
    const before = await sourceOf(cache, claim);
    store.clock.advance('10ms');
    const after = await sourceOf(cache, claim);

    expect([before, after]).toEqual(['deny-cache', 'redis']);
  });

  it('asks again after a minute, however long the wait is', async () => {
    const { store, cache, claim } = await denied({ ...one, window: '1h' });

    store.clock.advance('59999ms');
    const before = await sourceOf(cache, claim);
    store.clock.advance('1ms');
    const after = await sourceOf(cache, claim);

    expect([before, after]).toEqual(['deny-cache', 'redis']);
  });

  it('answers at the cost that was denied or more, and asks for less', async () => {
    const { cache, claim } = await denied({ ...one, limit: 10 }, { cost: 5 });

    const sources = await Promise.all([5, 9, 4].map((cost) => sourceOf(cache, { ...claim, cost })));

    expect(sources).toEqual(['deny-cache', 'deny-cache', 'redis']);
  });

  it('answers for policies of the same numbers, and asks for others', async () => {
    const { cache, claim } = await denied();
    const again = { ...claim, policy: { ...claim.policy } };
    const other = { ...claim, policy: { ...claimOf({ policy: { ...one, limit: 2 } }).policy } };

    const sources = [await sourceOf(cache, again), await sourceOf(cache, other)];

    expect(sources).toEqual(['deny-cache', 'redis']);
  });

  it('forgets what was said under other numbers, which put right what is kept', async () => {
    const { cache, claim } = await denied({ algorithm: 'token-bucket', limit: 10, window: '10s' });
    const cut = claimOf({ key: claim.key, policy: { algorithm: 'token-bucket', limit: 10, window: '10s', burst: 1 } });
    // It reads, and what is kept is too far ahead for it.
    await cache.consume([{ ...cut, cost: 0 }]);

    const answer = await cache.consume([claim]);

    expect(answer).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
  });

  it('names the tiers that it knows to deny, and keeps all that did', async () => {
    const { store, cache, claim } = scene();
    const longer = claimOf({ tier: 'longer', policy: { ...one, window: '40s' } });
    const open = claimOf({ tier: 'open' });
    const group = [longer, claim, open];
    await cache.consume(group);
    await cache.consume(group);

    const { outcomes } = await cache.consume(group);
    store.clock.advance('10s');
    const later = await cache.consume(group);

    expect(outcomes.map(({ tier }) => tier)).toEqual(['longer', 'hour']);
    expect(later).toMatchObject({ source: 'deny-cache', outcomes: [{ tier: 'longer', retryAfter: 30_000 }] });
  });

  it('does not answer for a request that counts where it is denied', async () => {
    const { cache, claim } = await denied();
    const counting = claimOf({ tier: 'counting', countDenied: true });

    const answer = await cache.consume([claim, counting]);

    expect(answer).toMatchObject({ source: 'redis', receipts: [{ tier: 'counting' }] });
  });

  it('keeps nothing of a request that counts where it is denied', async () => {
    const { cache, claim } = scene();
    const counting = claimOf({ tier: 'counting', countDenied: true });
    await cache.consume([claim]);
    await cache.consume([claim, counting]);

    expect(await sourceOf(cache, claim)).toBe('redis');
  });

  it('neither keeps what a shadow tier says nor answers for one', async () => {
    const { cache, claim } = await denied();
    const shadow = { ...claim, shadow: true };

    const sources = [await sourceOf(cache, shadow), await sourceOf(cache, shadow), await sourceOf(cache, claim)];

    expect(sources).toEqual(['redis', 'redis', 'deny-cache']);
  });

  it('does not keep what can never fit, nor answers where another tier says never', async () => {
    const { cache, claim } = await denied({ ...one, limit: 10 });
    const small = claimOf({ tier: 'small', policy: one });
    const group = [
      { ...claim, cost: 2 },
      { ...small, cost: 2 },
    ];

    const answers = [await cache.consume(group), await cache.consume(group), await cache.consume([group[1]!])];

    expect(answers.map(({ source }) => source)).toEqual(['redis', 'redis', 'redis']);
    expect(answers[1]!.outcomes[1]).toMatchObject({ never: true });
  });

  it('asks for a cost of 0', async () => {
    const { cache, claim } = await denied();

    expect(await sourceOf(cache, { ...claim, cost: 0 })).toBe('redis');
  });

  it.each(['peek', 'inspect'] as const)('asks for a %s', async (verb) => {
    const { store, cache, claim } = await denied();
    const asked = jest.spyOn(store, verb);

    await (verb === 'peek' ? cache.peek([claim]) : cache.inspect(claim.key));

    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('remembers no answer without sentAt', async () => {
    const { store, claim } = await denied();
    const cache = withDenyCache(
      Object.assign(Object.create(store) as RemoteStore, {
        consume: async (group: readonly Claim[]) => ({ ...store.memory.consume(group), source: 'redis' as const }),
      }),
      new DenialCache(store.clock),
    );
    await cache.consume([claim]);

    expect(await sourceOf(cache, claim)).toBe('redis');
  });

  describe.each(['cached', 'uncached'] as const)('for whoever gives back %s', (way) => {
    const part = (cache: ReturnType<typeof withDenyCache>) => (way === 'cached' ? cache : cache.uncached);

    it('forgets what is refunded', async () => {
      const { cache, claim, receipts } = await denied();

      await part(cache).refund(receipts);

      expect(await cache.consume([claim])).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
    });

    it('forgets what is reset', async () => {
      const { cache, claim } = await denied();

      await part(cache).reset([claim.key]);

      expect(await cache.consume([claim])).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
    });
  });

  it('asks while something is being given back', async () => {
    const { store, cache, claim, receipts } = await denied();
    const way = store.delay();

    const refund = cache.refund(receipts);
    const answer = cache.consume([claim]);
    await way.arrive();
    await refund;

    expect((await answer).source).toBe('redis');
  });

  it('keeps no answer that was on its way when something was given back', async () => {
    const { store, cache, claim } = scene();
    const { receipts } = await cache.consume([claim]);
    const way = store.delay();
    const answer = cache.consume([claim]);
    store.way = Promise.resolve();
    await cache.refund(receipts);
    await way.arrive();
    await answer;

    expect(await cache.consume([claim])).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
  });

  it('forgets also when the store could not say whether it has given back', async () => {
    const { store, cache, claim, receipts } = await denied();
    store.failure = new Error('no reply');

    await expect(cache.refund(receipts)).rejects.toThrow('no reply');
    await expect(cache.reset([claim.key])).rejects.toThrow('no reply');
    store.failure = undefined;

    expect(await sourceOf(cache, claim)).toBe('redis');
  });

  it('forgets what a denied request may have taken, and given back, in another slot of a Cluster', async () => {
    const { store, cache, claim } = scene();
    const full = claimOf({ tier: 'full', policy: one });
    await cache.consume([full]);
    const way = store.delay();
    const answer = cache.consume([full, claim]);
    store.way = Promise.resolve();
    const taken = store.memory.consume([claim]);
    await cache.consume([claim]);
    const between = await sourceOf(cache, claim);
    store.memory.refund(taken.receipts);
    await way.arrive();
    await answer;

    expect(between).toBe('deny-cache');
    expect(await cache.consume([claim])).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
  });

  it('asks every time for those who do not want it', async () => {
    const { cache, claim } = await denied();

    expect(await sourceOf(cache.uncached, claim)).toBe('redis');
  });

  it('keeps 65 536 denials at most, the newest', async () => {
    const { store, cache, claim } = await denied({ ...one, window: '1h' });
    const policy = claim.policy;
    store.memory.close();
    const answer = { ...(await cache.consume([claim])), source: 'redis' as const };
    jest.spyOn(store, 'consume').mockImplementation(async () => ({ ...answer, sentAt: store.clock() }));

    for (let index = 0; index < 70_000; index += 1) await cache.consume([claimOf({ policy, tag: `${index}` })]);

    expect(await sourceOf(cache, claimOf({ policy, tag: '69999' }))).toBe('deny-cache');
    expect(await sourceOf(cache, claim)).toBe('redis');
  });

  it('closes what it stands before', async () => {
    const { store, cache } = scene();
    const closed = jest.spyOn(store, 'close');

    await cache.close();
    await cache.uncached.close();

    expect(closed).toHaveBeenCalledTimes(2);
  });
});
