import {
  type BalanceKey,
  checkCallOptions,
  type Credited,
  digestOf,
  kindOf,
  type Limiter,
  limiterBehind,
  type LimiterView,
  show,
  type TierDefinition,
  type Requests,
  UsageError,
} from '@sluice/core/internal';
import { HOUR_MS, HOURS, hourOf, MAX_BALANCE } from './account.js';

export interface CreditOptions {
  /** Names the credit: 1 to 256 characters, such as the number of its invoice. Only a digest of it is stored. */
  id: string;
  /** The name of the tier. @default the only balance of the limiter */
  tier?: string | undefined;
}

/** What a credit has done. */
export interface CreditResult {
  /** Units that the balance holds now. */
  readonly balance: number;
  /** False if the id was counted before, so that this call has added nothing. */
  readonly isNew: boolean;
}

export interface ReconcileOptions {
  /**
   * The moment up to which the ledger has what was spent: the begin of an hour of the last 47, because the store knows by the
   * hour what was spent. It subtracts what was spent since, so that a customer who spends meanwhile gets nothing back.
   */
  asOf: Date | number;
  /** The name of the tier. @default the only balance of the limiter */
  tier?: string | undefined;
}

/** The balances of the subjects of a limiter. */
export interface Credits<S> {
  /**
   * Adds units to the balance of a subject, once for each id: a call that is repeated, also in another process, adds nothing.
   * The last 64 ids of a balance are known, each for 30 days. It is not repeated when the store fails: repeat it yourself.
   * Another number of units under a known id is an error.
   *
   * @param units 1 to 2^52, which is also the most that a balance holds
   * @returns what the balance holds now, and whether the id was new
   * @throws UsageError, as a rejection, without a tier with a balance, or for wrong arguments
   * @throws StoreError, as a rejection, when the store fails: the units may have been added, so call again with the same id
   * @example const { balance } = await creditsOf(limiter).credit({ customer: 'acme' }, 50_000, { id: invoice.id });
   */
  credit(subject: Partial<S>, units: number, options: CreditOptions): Promise<CreditResult>;
  /**
   * Sets the balance of a subject to what your ledger has: after the store has lost data, or against drift. What was spent from
   * `asOf` on is subtracted, as far as the store knows it. Credits are not: the ledger has all of them.
   *
   * @param units 0 to 2^52: all credits, less what was spent before `asOf`
   * @returns the units that the balance holds then
   * @throws UsageError, as a rejection, without a tier with a balance, or for wrong arguments
   * @throws StoreError, as a rejection, when the store fails
   * @example
   * const asOf = new Date('2026-11-26T14:00:00Z');
   * await creditsOf(limiter).reconcile({ customer: 'acme' }, await ledger.balance('acme', asOf), { asOf });
   */
  reconcile(subject: Partial<S>, units: number, options: ReconcileOptions): Promise<number>;
}

const MAX_ID = 256;
const EXAMPLE = "{ name: 'credits', key, algorithm: balance({ covers: ['month'] }) }";

/**
 * The balances of a limiter with a tier of the algorithm `balance()`.
 *
 * @param limiter what `createLimiter` has returned, or one of `limitersOf`
 * @throws UsageError for another value
 * @example await creditsOf(limiter).credit({ customer: 'acme' }, 50_000, { id: invoice.id });
 */
export function creditsOf<S>(limiter: Limiter<S> | LimiterView): Credits<S> {
  const { requests } = limiterBehind('creditsOf', limiter);
  return {
    async credit(subject, units, options) {
      checkCallOptions('credit', options, ['id', 'tier']);
      checkUnits('credit', units, 1);
      const { id, tier } = Object(options) as Partial<CreditOptions>;
      if (typeof id !== 'string' || id === '' || id.length > MAX_ID) {
        const rule = `must be a text of 1 to ${MAX_ID} characters that names the credit, such as the number of its invoice`;
        throw invalid(`credit: id ${rule}, got ${kindOf(id)}`);
      }
      const balance = await balanceOf(requests, subject, { call: 'credit', tier });
      return resultOf(units, await requests.store.credit!(balance, { units, id: digestOf(id) }));
    },
    async reconcile(subject, units, options) {
      checkCallOptions('reconcile', options, ['asOf', 'tier']);
      checkUnits('reconcile', units, 0);
      const { asOf, tier } = Object(options) as Partial<ReconcileOptions>;
      const since = hourAt(asOf, Date.now());
      const balance = await balanceOf(requests, subject, { call: 'reconcile', tier });
      return requests.store.reconcile!(balance, { units, since });
    },
  };
}

/** @throws UsageError for units that were not added, unless the same were added before */
function resultOf(units: number, credited: Credited | undefined): CreditResult {
  if (credited === undefined) {
    throw invalid(`credit: units must not bring the balance above ${MAX_BALANCE}, got ${units}: nothing was added`);
  }
  const { balance, isNew, units: added = units } = credited;
  if (added === units) return { balance, isNew };
  const remedy = 'Write the units of that credit, or give another credit an id of its own';
  throw invalid(`credit: this id has added ${added} units before, got ${units}: nothing was added. ${remedy}`);
}

interface Wanted {
  readonly call: string;
  readonly tier: string | undefined;
}

async function balanceOf<S>(requests: Requests<S>, subject: Partial<S>, wanted: Wanted): Promise<BalanceKey> {
  const tier = balanceTier(await requests.book.tiersFor(subject as S), wanted);
  const { claims } = await requests.claimBuilder.buildUnits([tier], subject as S);
  return claims[0]!;
}

function balanceTier<S>(tiers: readonly TierDefinition<S>[], { call, tier }: Wanted): TierDefinition<S> {
  const balances = tiers.filter(({ policy }) => policy.algorithm.neverRefills);
  const names = balances.map(({ name }) => name).join(', ');
  if (balances.length === 0) throw invalid(`${call}: the limiter needs a tier with a balance, such as ${EXAMPLE}`);
  const found = tier === undefined ? balances[0]! : balances.find(({ name }) => name === tier);
  if (found === undefined)
    throw invalid(`${call}: tier must name a balance of this limiter (${names}), got ${show(tier)}`);
  if (tier === undefined && balances.length > 1)
    throw invalid(`${call}: tier must name one of the balances (${names})`);
  return found;
}

/** The hour since 1970 that begins then. @throws UsageError */
function hourAt(asOf: Date | number | undefined, now: number): number {
  const moment = asOf instanceof Date ? asOf.getTime() : (asOf ?? NaN);
  const hour = hourOf(moment);
  const age = hourOf(now) - hour;
  // The clock of the store may be in another hour.
  if (hour * HOUR_MS === moment && age >= 0 && age < HOURS) return hour;
  const example = new Date(hourOf(now) * HOUR_MS).toISOString();
  if (asOf === undefined) {
    const rule = `is missing: it is the hour up to which the ledger has what was spent, such as new Date('${example}')`;
    throw invalid(`reconcile: asOf ${rule}`);
  }
  const rule = `must be the begin of an hour of the last ${HOURS - 1}, such as new Date('${example}')`;
  throw invalid(`reconcile: asOf ${rule}, because what was spent is known by the hour, got ${show(asOf)}`);
}

function checkUnits(call: string, units: unknown, least: number): void {
  if (typeof units === 'number' && Number.isSafeInteger(units) && units >= least && units <= MAX_BALANCE) return;
  throw invalid(`${call}: units must be an integer from ${least} to ${MAX_BALANCE}, got ${show(units)}`);
}

function invalid(message: string): UsageError {
  return new UsageError('USAGE_INVALID', message);
}
