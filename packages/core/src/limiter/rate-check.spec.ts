import * as fc from 'fast-check';

import { fakeClock } from '../../../testing/src/clock.js';
import type { Decision } from '../model/decision.js';
import { IdentityDigest } from '../model/identity-digest.js';
import { memoryStore, type DecidingStore } from '../stores/memory/memory-store.js';
import { KeyedIdentity } from './keys/stored-identity.js';
import { tracksOf } from './decisions/tracks-of.js';
import { createLimiter } from './limiter.js';
import type { Tier } from './tiers/tier.js';

interface Subject {
  readonly user: unknown;
  readonly tenant: unknown;
}

const users: readonly unknown[] = [
  ...['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => new KeyedIdentity('ip', address)),
  'ada',
  'grace',
  7,
  7n,
  { kind: 'user', parts: ['ada'] },
  { kind: 'org', parts: ['acme', 'ada'] },
  new IdentityDigest('0123456789abcdefghijkl'),
  ...Array.from({ length: 12 }, (_, number) => `client-${number}`),
];
const tenants: readonly unknown[] = ['acme', 'apex', { kind: 'tenant', parts: ['acme'] }];

const byUser = ({ user }: Subject) => user as string;
const byTenant = ({ tenant }: Subject) => tenant as string;

const anyPolicy = fc.constantFrom<object>(
  { algorithm: 'fixed-window', limit: 5, window: '10s' },
  { algorithm: 'fixed-window', limit: 4, window: '7s', anchor: 'clock' },
  { limit: 70, window: '10s' },
  { limit: 66, window: '4s', strict: true },
  { algorithm: 'token-bucket', limit: 7, window: '10s', burst: 3 },
  { algorithm: 'leaky-bucket', limit: 7, window: '10s', queue: 4 },
  // Without a kernel.
  { limit: 5, window: '10s' },
  { algorithm: 'sliding-window-log', limit: 5, window: '10s' },
);

const tier = fc.record({
  policy: anyPolicy,
  isOfTenant: fc.boolean(),
  mode: fc.constantFrom('enforce', 'enforce', 'enforce', 'shadow', 'demote'),
  cost: fc.constantFrom(undefined, undefined, 1, 2),
});

/** Up to four limiters of one store, so that an identity is in more tiers than it remembers. */
const manyLimiters = fc.array(fc.array(tier, { minLength: 1, maxLength: 4 }).map(withOneQueue), {
  minLength: 1,
  maxLength: 4,
});

const steps = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      action: fc.constant('consume' as const),
      limiter: fc.nat(),
      user: fc.nat({ max: users.length - 1 }),
      tenant: fc.nat({ max: tenants.length - 1 }),
      cost: fc.constantFrom(1, 1, 1, 0, 2, 3, 9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ action: fc.constant('correct' as const), pick: fc.nat(), cost: fc.nat({ max: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ action: fc.constant('reset' as const), user: fc.nat({ max: users.length - 1 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      action: fc.constant('step' as const),
      milliseconds: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: -15_000, max: 15_000 })),
    }),
  },
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;
type TierChoice = typeof tier extends fc.Arbitrary<infer T> ? T : never;

/** A request can wait in one place only. */
function withOneQueue(tiers: readonly TierChoice[]): readonly TierChoice[] {
  const isQueue = ({ policy }: TierChoice) => 'queue' in policy;
  return tiers.filter((each) => !isQueue(each) || each === tiers.find(isQueue));
}

/** How a store counts. */
interface Layout {
  readonly maxKeys: number;
  prepare(store: DecidingStore, byClaims: boolean): void;
}

/** Each tier has a key of its own, because a key that leaves the store takes all tiers with it that count side by side. */
function apart(): Layout {
  return { maxKeys: 16, prepare: (store) => void jest.spyOn(store, 'join').mockReturnValue(false) };
}

/** Tiers side by side, in the store of claims, too. */
function sideBySide(): Layout {
  const joined: (readonly string[])[] = [];
  return {
    maxKeys: 1_000,
    prepare(store, byClaims) {
      for (const ends of joined) store.join(ends);
      if (byClaims) return;
      const join = store.join.bind(store);
      store.join = (ends) => {
        joined.push(ends);
        return join(ends);
      };
    },
  };
}

/** Limiters whose requests become claims, or do not. */
class Program {
  readonly clock = fakeClock();
  readonly store: DecidingStore;
  readonly #limiters;
  readonly #decisions: { decision: Decision; limiter: number }[] = [];

  /** @param byClaims a function other than `key` needs claims */
  constructor(limiters: readonly (readonly TierChoice[])[], layout: Layout, byClaims: boolean) {
    this.store = memoryStore({ maxKeys: layout.maxKeys, clock: this.clock }) as DecidingStore;
    layout.prepare(this.store, byClaims);
    this.#limiters = limiters.map((tiers, number) =>
      createLimiter<Subject>({
        store: this.store,
        tiers: tiers.map(({ policy, isOfTenant, mode, cost }, index) => {
          const name = `limiter ${number}, tier ${index}`;
          // Policies differ: a claim of a policy that equals that of another tier takes the general way through the store.
          const limit = (policy as { limit: number }).limit + 4 * number + index;
          const options = { name, key: isOfTenant ? byTenant : byUser, mode, ...policy, limit };
          const label = byClaims ? { label: () => undefined } : {};
          return { ...options, ...label, ...(cost !== undefined && { cost }) } as unknown as Tier<Subject>;
        }),
      }),
    );
  }

  /** What a step has done, for those who look. */
  async play(step: Step): Promise<unknown> {
    if (step.action === 'step') return this.clock.step(step.milliseconds);
    if (step.action === 'reset') {
      for (const each of this.#limiters) await each.reset({ user: users[step.user], tenant: tenants[0] });
      return this.store.size;
    }
    if (step.action === 'correct') return this.#correct(step.pick, step.cost);
    const number = step.limiter % this.#limiters.length;
    const limiter = this.#limiters[number]!;
    const subject = { user: users[step.user], tenant: tenants[step.tenant] };
    const decision = await limiter.consume(subject, { cost: step.cost });
    this.#decisions.push({ decision, limiter: number });
    const policies = limiter.policies(decision).map(({ numbers }) => numbers);
    return { copy: { ...decision }, tracks: tracksOf(decision), policies, size: this.store.size };
  }

  async #correct(pick: number, cost: number): Promise<unknown> {
    if (this.#decisions.length === 0) return undefined;
    const { decision, limiter } = this.#decisions[pick % this.#decisions.length]!;
    const corrected = this.#limiters[limiter]!;
    // A settlement of tiers that all have a cost of their own names them.
    const given = await (cost < 3
      ? corrected.refund(decision, cost)
      : corrected.settle(decision, cost).catch(({ message }: Error) => message));
    return { given, tracks: tracksOf(decision) };
  }
}

describe('rateCheck', () => {
  it.each([
    ['a store that evicts', apart],
    ['a store with tiers side by side', sideBySide],
  ])('decides, charges and corrects as claims do, in %s, by any clock', async (_name, layoutOf) => {
    const random = jest.spyOn(Math, 'random');
    await fc.assert(
      fc.asyncProperty(manyLimiters, fc.array(steps, { minLength: 30, maxLength: 60 }), async (tiers, all) => {
        const layout = layoutOf();
        const [checked, claimed] = [new Program(tiers, layout, false), new Program(tiers, layout, true)];
        for (const [index, step] of all.entries()) {
          random.mockReturnValue(((index * 7) % 16) / 16);
          const done = await checked.play(step);
          expect(done).toEqual(await claimed.play(step));
        }
      }),
      { numRuns: 25 },
    );
    random.mockRestore();
  });

  it('stays within its bound where tiers count side by side, and forgets no identity that is denied', async () => {
    const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
    const key = (user: string) => user;
    const rate = { algorithm: 'fixed-window', limit: 5, key } as const;
    const tiers = (['1m', '1h', '1d'] as const).map((window) => ({ ...rate, name: window, window }));
    const limiter = createLimiter<string>({ store, tiers });
    const denied = Array.from({ length: 8 }, (_, number) => `denied ${number}`);
    for (const user of denied) await limiter.consume(user, { cost: 5 });

    for (let number = 0; number < 500; number += 1) await limiter.consume(`flood ${number}`);

    expect(store.size).toBe(16);
    for (const user of denied) expect((await limiter.consume(user)).allowed).toBe(false);
    const { outcomes } = await limiter.consume('new');
    expect(outcomes.map(({ remaining }) => remaining)).toEqual([4, 4, 4]);
  });
});
