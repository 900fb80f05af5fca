import * as fc from 'fast-check';
import {
  createLimiter,
  limitersOf,
  memoryStore,
  type Decision,
  type Inspection,
  type Limiter,
  type LimiterView,
  type Store,
  type Tier,
} from '@sluice/core';
import { fakeClock } from '@sluice/testing';
import { TieredDecision } from '../../packages/core/src/limiter/decisions/tiered-decision.js';
import { newStoreOn, withRedis } from '../support/redis-store.js';

interface Caller {
  readonly user: string;
  readonly plan: 'rates' | 'all';
  readonly isBlocked: boolean;
}

const key = ({ user }: Caller) => user;
/** So long that nothing comes back while a test runs. */
const window = '100d';

const RATES: Tier<Caller>[] = [
  { name: 'window', key, algorithm: 'fixed-window', limit: 12, window },
  { name: 'bucket', key, algorithm: 'token-bucket', limit: 12, window, overdraft: 5 },
  { name: 'own cost', key, algorithm: 'fixed-window', limit: 30, window, cost: 2 },
];

const PLANS: Readonly<Record<Caller['plan'], Tier<Caller>[]>> = {
  rates: RATES,
  all: [
    ...RATES,
    { name: 'log', key, algorithm: 'sliding-window-log', limit: 10, window },
    { name: 'small', key, limit: 11, window },
    { name: 'shadow', key, algorithm: 'fixed-window', limit: 4, window, mode: 'shadow' },
    { name: 'tries', key, algorithm: 'fixed-window', limit: 20, window, charge: 'all' },
    { name: 'ban', key, algorithm: 'fixed-window', limit: 9, window, charge: 'denied' },
    {
      name: 'strikes',
      key,
      algorithm: 'backoff',
      limit: 8,
      window,
      delays: [window],
      charge: 'denied',
    },
    { name: 'logins', key, algorithm: 'backoff', limit: 40, window, delays: [window], forgive: 'one' },
    { name: 'pause', key, algorithm: 'pause' },
    { name: 'running', key, algorithm: 'concurrency', limit: 9 },
    { name: 'gate', key, algorithm: 'fixed-window', window, limit: ({ isBlocked }) => (isBlocked ? 0 : 25) },
  ],
};

const OF_DENIED = new Set(['ban', 'strikes']);
const UNCHARGED = new Set([...OF_DENIED, 'pause', 'running']);
const NAMES = PLANS.all.map(({ name }) => name!);

const units = fc.integer({ min: 0, max: 9 });
const named = fc.dictionary(fc.constantFrom(...NAMES), units, { minKeys: 1, maxKeys: 4 });
const operation = fc.oneof(
  fc.record({ kind: fc.constant('settle' as const), units: fc.oneof(units, named) }),
  fc.record({ kind: fc.constant('refund' as const), units: fc.oneof(units, named, fc.constant(undefined)) }),
  fc.record({ kind: fc.constant('extend' as const), units: named }),
  fc.record({ kind: fc.constant('release' as const), units: fc.constant(undefined) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const history = fc.record({
  requests: fc.array(
    fc.record({
      plan: fc.constantFrom('rates' as const, 'all' as const),
      isBlocked: fc.nat(5).map((number) => number === 0),
      cost: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 })),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  operations: fc.array(fc.tuple(fc.nat(5), operation), { minLength: 1, maxLength: 14 }),
});

/** What the law knows of a decision, by its request and its receipts. */
class Account {
  readonly decision: Decision;
  readonly #cost: number;
  /** Units charged and not given back. Of tiers that were charged once. */
  readonly #units = new Map<string, number>();
  isSpent = false;

  constructor(decision: Decision, cost: number) {
    this.decision = decision;
    this.#cost = cost;
    for (const { tier, units: some } of TieredDecision.receiptsOf(decision)) this.add(tier, some);
  }

  of(tier: string): number {
    return this.#units.get(tier) ?? 0;
  }

  add(tier: string, some: number): void {
    if (some !== 0) this.#units.set(tier, this.of(tier) + some);
  }

  mayChange({ kind, units: some }: Operation, tier: string): boolean {
    if (kind === 'release') return tier === 'running' && this.of(tier) > 0;
    const isNamed = typeof some === 'object' ? Object.hasOwn(some, tier) : kind !== 'settle' || tier !== 'own cost';
    if (this.isSpent || !this.#isCharged(tier) || !isNamed) return false;
    if (kind === 'refund') return this.of(tier) > 0;
    return kind === 'settle' ? tier !== 'running' : !UNCHARGED.has(tier) && this.decision.allowed;
  }

  /** True for a tier that this decision has charged, if only by a cost of 0. */
  #isCharged(tier: string): boolean {
    if (this.#units.has(tier)) return true;
    const isFree = this.#cost === 0 && tier !== 'own cost' && !UNCHARGED.has(tier);
    return isFree && this.decision.allowed && this.decision.outcomes.some((outcome) => outcome.tier === tier);
  }
}

/** Units that a key has used, as its terms show them. */
function usedOf({ terms, policy }: Inspection): number {
  switch (terms?.form) {
    case 'bucket':
      return Math.round(terms.capacity - terms.tokens);
    case 'strikes':
      return terms.strikes;
    case 'window':
    case 'log':
    case 'permits':
      return terms.units;
    case 'pause':
      return terms.until ?? 0;
    default:
      throw new Error(`no terms of ${policy.algorithm.name}`);
  }
}

let users = 0;

type Bytes = (explanations: readonly Inspection[]) => Promise<readonly string[]>;

/** The law over histories of a store. @param bytesOf what the store has under keys */
function lawOf(store: Store, bytesOf: Bytes) {
  const limiter = createLimiter<Caller>({ store, tiers: ({ plan }) => PLANS[plan] });
  return fc.asyncProperty(history, (each) => hold(limiter, limitersOf(store)[0]!, bytesOf, each));
}

async function hold(
  limiter: Limiter<Caller>,
  view: LimiterView,
  bytesOf: Bytes,
  { requests, operations }: History,
): Promise<void> {
  const user = `user ${(users += 1)}`;
  const accounts: Account[] = [];
  for (const { cost, ...caller } of requests) {
    accounts.push(new Account(await limiter.consume({ ...caller, user }, { cost }), cost));
  }
  const look = async () => {
    const explained = await view.of(user, { limit: 25 }).inspect();
    const bytes = await bytesOf(explained);
    return new Map(explained.map((each, index) => [each.outcome.tier, { used: usedOf(each), bytes: bytes[index]! }]));
  };
  for (const [index, each] of operations) {
    const account = accounts[index % accounts.length]!;
    const before = await look();
    const result = await apply(limiter, account, each);
    const after = await look();
    let sum = 0;
    const wrong: unknown[] = [];
    for (const [tier, { used, bytes }] of after) {
      const change = used - before.get(tier)!.used;
      const isChanged = bytes !== before.get(tier)!.bytes;
      if (isChanged && !account.mayChange(each, tier)) wrong.push([tier, before.get(tier), after.get(tier)]);
      if (change < -account.of(tier)) wrong.push([tier, change]);
      account.add(tier, change);
      sum += change;
    }
    expect([each, sum, wrong]).toEqual([each, result ?? 0, []]);
    if (result !== undefined && (each.kind === 'settle' || each.kind === 'refund')) account.isSpent = true;
  }
  await Promise.all(accounts.map(({ decision }) => limiter.release(decision)));
}

/** The change of all units in sum. Undefined for arguments that are refused. */
async function apply(
  limiter: Limiter<Caller>,
  { decision }: Account,
  { kind, units: some }: Operation,
): Promise<number | undefined> {
  try {
    if (kind === 'settle') return await limiter.settle(decision, some);
    if (kind === 'refund') return 0 - (await limiter.refund(decision, some));
    if (kind === 'release') return 0 - (await limiter.release(decision));
    const receipts = TieredDecision.receiptsOf(await limiter.extend(decision, some));
    return receipts.reduce((sum, receipt) => sum + receipt.units, 0);
  } catch (error) {
    expect(error).toMatchObject({ code: 'USAGE_INVALID' });
    return undefined;
  }
}

describe('a decision that is settled, refunded, extended and released in any order', () => {
  describe('in memory', () => {
    it('changes what it has charged, and nothing else', async () => {
      const bytesOf: Bytes = async (explained) => explained.map(({ terms }) => JSON.stringify(terms));

      const law = fc.assert(lawOf(memoryStore({ clock: fakeClock() }), bytesOf), { numRuns: 60 });

      await expect(law).resolves.toBeUndefined();
    });
  });

  describe('on Redis', () => {
    const redis = withRedis();

    it('changes what it has charged, and nothing else', async () => {
      const bytesOf: Bytes = (explained) =>
        Promise.all(
          explained.map(async ({ key: each }) => (await redis.client.dumpBuffer(each))?.toString('hex') ?? ''),
        );

      const law = fc.assert(lawOf(newStoreOn(redis.client), bytesOf), { numRuns: 20 });

      await expect(law).resolves.toBeUndefined();
    });
  });
});
