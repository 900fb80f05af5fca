import { overridesOf } from '../../../policies/src/overrides/overrides-of.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { sharedLayers } from '../../../core/src/own-store/index.js';
import type { AbleStore, Store } from '../../../core/src/stores/store.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { LimiterOptions } from '../../../core/src/limiter/limiter-options.js';
import { defineTiers } from '../../../core/src/limiter/tiers/define-tiers.js';
import type { Tier } from '../../../core/src/limiter/tiers/tier.js';
import { creditsOf } from '../index.js';
import { balance } from '../index.js';

interface Caller {
  readonly user: string;
  readonly tokens?: number;
}

const key = ({ user }: Caller) => user;
const month = { name: 'month', key, algorithm: 'fixed-window', limit: 5, window: '1d' } as const;
const day = { ...month, name: 'day' } as const;
const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) } as const;

function limiterOf(tiers: readonly object[], more: Partial<LimiterOptions<Caller>> = {}) {
  return createLimiter<Caller>({ ...more, tiers: tiers as Tier<Caller>[] } as LimiterOptions<Caller>);
}

/** A store on a Cluster, which decides nothing. */
const clustered = (): Store => Object.assign(memoryStore(), { isCluster: true });

describe('A tier with a balance', () => {
  it('needs a store with balances', () => {
    const memory = memoryStore();
    const store: AbleStore = {
      layers: sharedLayers,
      consume: (group) => memory.consume(group),
      peek: (group) => memory.peek(group),
      refund: (receipts) => memory.refund(receipts),
      reset: (keys) => memory.reset(keys),
      recorded: (name) => memory.recorded(name),
      close: () => memory.close(),
    };

    expect(() => limiterOf([month, credits], { store })).toThrow('algorithm must not be "balance" with this store');
  });

  it('needs one slot with what it covers on a Cluster: a partition, or one key function', () => {
    const other = { ...credits, key: ({ user }: Caller) => user };

    expect(() => limiterOf([month, other], { store: clustered() })).toThrow(
      'covers must name tiers in the slot of the balance on a Cluster: write partition: (subject) => the identity of both, or give both tiers the same key function',
    );
    expect(() => limiterOf([month, other], { store: clustered(), partition: key })).not.toThrow();
    expect(() => limiterOf([month, credits], { store: clustered() })).not.toThrow();
    expect(() => limiterOf([month, other])).not.toThrow();
  });

  it('takes the cost and the unit of the tiers that it covers', async () => {
    const tokens = { ...month, cost: ({ tokens: units = 1 }: Caller) => units, unit: 'tokens' };
    const limiter = limiterOf([tokens, { ...day, cost: 1, limit: 100 }, credits]);
    await creditsOf(limiter).credit({ user: 'ada' }, 50, { id: 'x' });

    const decision = await limiter.consume({ user: 'ada', tokens: 20 });

    expect(decision).toMatchObject({
      paidBy: 'credits',
      outcomes: [{ remaining: 99 }, { remaining: 5 }, { remaining: 30 }],
    });
    expect(limiter.policies(decision).map(({ unit }) => unit)).toEqual([undefined, 'tokens', 'tokens']);
  });

  it('needs a cost of its own where the covered tiers have several', () => {
    const both = { ...credits, algorithm: balance({ covers: ['month', 'day'] }) };

    expect(() => limiterOf([{ ...month, cost: 2 }, day, both])).toThrow(
      'tier "credits" (balance): cost is missing: it must be given where the covered tiers have several',
    );
    expect(() => limiterOf([{ ...month, cost: 2 }, day, { ...both, cost: 3 }])).not.toThrow();
  });

  it('denies nothing without the store where it covers tiers, and else everything', () => {
    const context = {
      owner: 'limiter',
      limiter: {},
      store: memoryStore(),
      hasOwnStore: true,
      isPartitioned: false,
      prefix: 'rl',
      secret: undefined,
      defaults: {},
    };
    const prepaid = { ...credits, name: 'prepaid', algorithm: balance() };
    const failures = defineTiers<Caller>([month, credits, prepaid], context);

    expect(failures.map(({ name, onStoreFailure }) => [name, onStoreFailure])).toEqual([
      ['month', 'local'],
      ['credits', 'allow'],
      ['prepaid', 'deny'],
    ]);
  });

  it('takes no override but null where it covers tiers', () => {
    const limiter = limiterOf([month, credits]);
    const set = (limit: number | null) =>
      overridesOf(limiter).set({ tier: 'credits', identity: 'ada', limit, reason: 'ticket 4711' });

    expect(() => set(0)).toThrow('limit must be null here, because tier "credits" denies no request (balance)');
    expect(() => set(5)).toThrow('limit must be 0 or null here');
    expect(set(null)).toMatchObject({ limit: null });
  });
});
