import { HOUR_MS, HOURS, hourOf, MAX_BALANCE } from '../algorithms/balance/account.js';
import { UsageError } from '../model/errors.js';
import { checkCallOptions } from '../options/call-options.js';
import { kindOf, show } from '../options/option-reader.js';
import type { BalanceKey } from '../stores/store.js';
import { digestOf } from './claims/store-keys.js';
import type { LimiterParts } from './limiter-parts.js';
import type { TierDefinition } from './tiers/tier-definition.js';

export interface CreditOptions {
  /** Names the credit: 1 to 256 characters, such as the number of its invoice. Only a digest of it is stored. */
  id: string;
  /** The name of the tier. @default the only balance of the limiter */
  tier?: string | undefined;
}

export interface ReconcileOptions {
  /**
   * The moment up to which the ledger has what was spent: the begin of an hour of the last 47. What was spent since is
   * subtracted.
   *
   * @default now: the ledger has all
   */
  asOf?: Date | number | undefined;
  /** The name of the tier. @default the only balance of the limiter */
  tier?: string | undefined;
}

type Accounts<S> = Pick<LimiterParts<S>, 'store' | 'claimBuilder' | 'book'>;

const MAX_ID = 256;
const EXAMPLE = "{ name: 'credits', key, algorithm: 'balance', covers: ['month'] }";

/** Adds units to the balance of a subject, once for each id. @throws UsageError */
export async function credit<S>(
  accounts: Accounts<S>,
  subject: Partial<S>,
  units: number,
  options: CreditOptions,
): Promise<number> {
  checkCallOptions('credit', options, ['id', 'tier']);
  checkUnits('credit', units, 1);
  const { id, tier } = Object(options) as Partial<CreditOptions>;
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) {
    const rule = `must be a text of 1 to ${MAX_ID} characters that names the credit, such as the number of its invoice`;
    throw invalid(`credit: id ${rule}, got ${kindOf(id)}`);
  }
  const balance = await balanceOf(accounts, subject, { call: 'credit', tier });
  const left = await accounts.store.credit!(balance, { units, id: digestOf(id) });
  if (left !== undefined) return left;
  throw invalid(`credit: units must not bring the balance above ${MAX_BALANCE}, got ${units}: nothing was added`);
}

/** Sets the balance of a subject to what a ledger has. @throws UsageError */
export async function reconcile<S>(
  accounts: Accounts<S>,
  subject: Partial<S>,
  units: number,
  options: ReconcileOptions = {},
): Promise<number> {
  checkCallOptions('reconcile', options, ['asOf', 'tier']);
  checkUnits('reconcile', units, 0);
  const { asOf, tier } = options;
  const since = asOf === undefined ? undefined : hourAt(asOf, Date.now());
  const balance = await balanceOf(accounts, subject, { call: 'reconcile', tier });
  return accounts.store.reconcile!(balance, { units, since });
}

interface Wanted {
  readonly call: string;
  readonly tier: string | undefined;
}

async function balanceOf<S>(accounts: Accounts<S>, subject: Partial<S>, wanted: Wanted): Promise<BalanceKey> {
  const tier = balanceTier(await accounts.book.tiersFor(subject as S), wanted);
  const { claims } = await accounts.claimBuilder.buildUnits([tier], subject as S);
  return claims[0]!;
}

function balanceTier<S>(tiers: readonly TierDefinition<S>[], { call, tier }: Wanted): TierDefinition<S> {
  const balances = tiers.filter(({ policy }) => policy.kind === 'balance');
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
function hourAt(asOf: Date | number, now: number): number {
  const moment = asOf instanceof Date ? asOf.getTime() : asOf;
  const hour = hourOf(moment);
  const age = hourOf(now) - hour;
  // The clock of the store may be in another hour.
  if (hour * HOUR_MS === moment && age >= 0 && age < HOURS) return hour;
  const example = new Date(hourOf(now) * HOUR_MS).toISOString();
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
