import * as fc from 'fast-check';
import type { Tier } from '@sluice/core';
import { fairBy } from '@sluice/overload/fair';
import { balance, notices, usage } from '@sluice/quotas';

/** Tiers of several features in one limiter, and what its clients do. A counterexample prints it, so it is data alone. */
export interface Mix {
  readonly tiers: readonly MixedTier[];
  readonly history: readonly Step[];
}

/** A number for all clients, or a function that returns that of each. */
type Each = number | readonly (number | null)[];

/** The options of a tier, with data in the place of functions. */
export interface MixedTier {
  readonly name: string;
  readonly algorithm?: string;
  readonly limit?: Each;
  readonly cost?: Each;
  /** Whether all clients have one budget. */
  readonly shared?: true;
  readonly fair?: true;
  readonly usage?: true;
  readonly notices?: readonly number[];
  readonly covers?: readonly string[];
  readonly [option: string]: unknown;
}

export interface Correction {
  readonly kind: 'settle' | 'refund' | 'extend' | 'release';
  /** Of the admitted requests that were not settled or refunded: 0 for the newest. */
  readonly which: number;
  /** All tiers without one. */
  readonly tier: string | undefined;
  readonly units: number;
}

export type Step =
  | Correction
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | {
      readonly kind: 'consume' | 'reset' | 'pause' | 'credit' | 'reconcile';
      readonly user: number;
      readonly units: number;
    }
  | { readonly kind: 'override'; readonly user: number; readonly tier: string; readonly limit: number | null };

export interface Caller {
  readonly user: number;
}

export const USERS = [0, 1] as const;

/** What the key of a tier returns. @param world begins each identity, so that no other history has it */
export function identityOf({ shared }: MixedTier, world: string, user: number): string {
  return shared ? world : `${world} ${user}`;
}

/** The tiers for `createLimiter`. */
export function tiersOf({ tiers }: Mix, world: string): readonly Tier<Caller>[] {
  const each = (value: Each) => (typeof value === 'number' ? value : ({ user }: Caller) => value[user]);
  const own = ({ user }: Caller) => `${world} ${user}`;
  return tiers.map((tier) => {
    const { shared: _shared, fair, limit, cost, usage: isCounted, notices: parts, covers, ...options } = tier;
    return {
      ...options,
      key: ({ user }: Caller) => identityOf(tier, world, user),
      ...(limit !== undefined && { limit: each(limit) }),
      ...(cost !== undefined && { cost: each(cost) }),
      ...(fair && { fair: fairBy(own, { weight: ({ user }: Caller) => user + 1 }) }),
      ...(isCounted && { usage: usage() }),
      ...(parts && { notices: notices(...parts) }),
      ...(options.algorithm === 'balance' && { algorithm: balance({ covers }) }),
    } as unknown as Tier<Caller>;
  });
}

const data = <T>(shape: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) => fc.record<T>(shape, { noNullPrototype: true });

/** A value in some of the mixes, which shrinks to none. */
const sometimes = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  );
const oneOf = <T>(...values: readonly T[]) => sometimes(fc.constantFrom(...values));

const window = '1m';
const day = { algorithm: 'fixed-window', period: 'day' } as const;
const WINDOWS = [
  { algorithm: 'fixed-window', window },
  { algorithm: 'fixed-window', window, anchor: 'clock' },
  day,
] as const;
const LOGS = [
  { window },
  { window, precision: 10 },
  { window, strict: true },
  { algorithm: 'sliding-window-log', window },
] as const;
const BUCKETS = [
  { algorithm: 'token-bucket', window },
  { algorithm: 'token-bucket', window, burst: 4 },
  { algorithm: 'token-bucket', window, overdraft: 5 },
] as const;
const QUEUE = { algorithm: 'leaky-bucket', window, queue: 3 } as const;
const windows = [
  { limit: 3, window: '10s' },
  { limit: 7, window },
];
const strikes = { algorithm: 'backoff', limit: 2, window, delays: ['10s', '30s'] } as const;
const STRIKES = [
  { ...strikes, forgive: 'one' },
  { ...strikes, forgive: 'all' },
  { ...strikes, charge: 'denied' },
] as const;

const limit = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Each>(3, 7, 70) },
  { weight: 1, arbitrary: fc.constantFrom<Each>([5, 0], [0, 5], [null, 3], [70, 3]) },
);
const cost = oneOf<Each>(1, 2, [0, 3]);
const shared = oneOf(true as const);
const used = shared;
const enforced = oneOf({ enforce: '0%' }, { enforce: '50%' }, { mode: 'shadow' }, { mode: 'demote' });
const charge = oneOf('all', 'denied');
const features = { shared, usage: used, cost, charge, aboveFull: oneOf('all'), enforced };

const rate = fc.oneof(
  data({ form: fc.constantFrom(...WINDOWS), limit, notices: oneOf([1], [0.3, 0.5, 1]), ...features }),
  data({ form: fc.constantFrom(...LOGS), limit, ...features }),
  data({ form: fc.constantFrom(...BUCKETS), limit, ...features }),
  data({ form: fc.constant({ algorithm: 'multi-window', windows }), ...features }),
);
const running = { form: fc.constant({ algorithm: 'concurrency', hold: '1h' }), limit: fc.constantFrom(1, 4), shared };
const special = fc.oneof(
  data({ form: fc.constant(QUEUE), limit, ...features }),
  data({ form: fc.constantFrom(...STRIKES), enforced }),
  data({ ...running, fair: shared, enforced }),
  data({ form: fc.constant({ algorithm: 'pause' }) }),
);
/** `covers` has a bit for each rate. Without one the balance pays for each request. */
const payers = data({
  form: fc.constant({ algorithm: 'balance' }),
  usage: used,
  cost,
  covers: fc.constantFrom(0, 0, 1, 7),
});

const tiers = fc
  .tuple(rate, sometimes(rate), sometimes(rate), sometimes(special), fc.option(payers, { nil: undefined, freq: 2 }))
  .map(([first, second, third, other, payer]): readonly MixedTier[] => {
    const rates = [first, second, third].map((each, place) => each && tierOf(`t${place}`, each));
    const covered = rates.filter(
      (each, place) => each && !('charge' in each) && ((payer?.covers ?? 0) >> place) % 2 === 1,
    );
    const covers = covered.length > 0 ? covered.map((each) => each!.name) : undefined;
    const price = payer?.cost ?? (covers && 1);
    const others = [other && tierOf('t3', other), payer && tierOf('t4', { ...payer, cost: price, covers })];
    return [...rates, ...others].filter((each) => each !== undefined);
  });

interface Choice {
  readonly form: object;
  readonly enforced?: object | undefined;
  readonly [option: string]: unknown;
}

/** The options that were chosen. */
function tierOf(name: string, { form, enforced: stage, ...options }: Choice): MixedTier {
  const all = Object.entries({ name, ...form, ...stage, ...options }).filter(([, value]) => value !== undefined);
  const tier = Object.fromEntries(all) as MixedTier;
  // A bucket whose limit moves is rounded, as the kinds with `rounds` are.
  return tier.shared && Array.isArray(tier.limit) ? { ...tier, limit: 5 } : tier;
}

const user = fc.constantFrom(...USERS);
const tier = fc.constantFrom('t0', 't1', 't2', 't3', 't4');
const units = fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(9) });
const which = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(9) });
const milliseconds = fc.constantFrom(0.001, 1, 900.5, 10_000, 31_000, 6e7);
const kind = <K extends string>(...kinds: readonly K[]) => fc.constantFrom(...kinds);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: data({ kind: kind('consume'), user, units }) },
  {
    weight: 6,
    arbitrary: data({ kind: kind('settle', 'refund', 'extend', 'release'), which, tier: sometimes(tier), units }),
  },
  { weight: 3, arbitrary: data({ kind: kind('wait'), milliseconds }) },
  { weight: 3, arbitrary: data({ kind: kind('reset', 'pause', 'credit', 'credit', 'reconcile'), user, units }) },
  { weight: 1, arbitrary: data({ kind: kind('override'), user, tier, limit: fc.constantFrom(null, 0, 2, 5, 100) }) },
);

export const mixes: fc.Arbitrary<Mix> = data({ tiers, history: fc.array(step, { maxLength: 60, size: 'max' }) });
