import type { LimiterView } from '@sluice/core';
import { IdentityDigest, keyShape, parseIdentity, tierStates, type TierState } from '@sluice/metrics/operations';
import { isCovering, paymentOf } from '@sluice/quotas/internal';
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import { shell } from '../terminal/shell.js';
import type { Terminal } from '../terminal/terminal.js';
import { countingOf, type Counting } from './counting.js';
import type { TypedIdentity } from './identity.js';
import type { ConfiguredSource } from './limiters.js';
import { findStoredKeys, wholeDigest, type StoredKey } from './stored-keys.js';

/** Options of the commands about a client. */
export interface ClientOptions {
  readonly tier?: readonly string[];
  readonly cost?: number;
  readonly limit?: number;
  readonly plan?: string;
  readonly partition?: string;
}

/** What is known of a client. */
export interface ClientStates {
  /** Of the tiers of the configuration. */
  readonly tiers: readonly TierState[];
  /** In Redis, of tiers that the configuration does not have, and of partitions that were not named. */
  readonly others: readonly StoredKey[];
  /** Redis was searched for the others. */
  readonly isSearched: boolean;
  /** There may be others, and Redis refuses to be searched. */
  readonly isBlind: boolean;
  /** How the tiers identify clients. */
  readonly counting: Counting;
}

interface Search {
  readonly options: ClientOptions;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * Reads what the tiers have of a client, and searches Redis where that may not be all.
 *
 * @throws Failure for a tier that does not exist, or that needs a partition
 */
export async function readStates(
  source: ConfiguredSource,
  identity: TypedIdentity,
  search: Search,
): Promise<ClientStates> {
  const { limiters } = source;
  const { options, terminal, signal } = search;
  const { key: typed } = identity;
  const counting = countingOf(limiters, identity, options.tier);
  checkPartition(limiters, options);
  const { tier: named, cost, limit, plan, partition } = options;
  const key = typed instanceof IdentityDigest ? await wholeDigest(source, typed, signal) : typed;
  if (key === undefined) {
    return { tiers: [], others: [], isSearched: true, isBlind: false, counting: { ...counting, isCounted: false } };
  }
  const tag = partition === undefined ? undefined : parseIdentity(partition);
  const known = named?.filter((name) => limiters.some((limiter) => hasTier(limiter, name)));
  const tiers = await tierStates(limiters, key, { tiers: known, cost, limit, plan, partition: tag });
  const missing = named?.find((name) => !limiters.some((limiter) => hasTier(limiter, name)));
  if (missing !== undefined && !limiters.some(({ hasOtherTiers }) => hasOtherTiers)) throw noTier(missing, limiters);
  const isIncomplete = mayHaveOthers(limiters, options);
  const isUnused = named === undefined && !tiers.some(({ inspection }) => inspection.isStored);
  if (!isIncomplete && !isUnused) return { tiers, others: [], isSearched: false, isBlind: false, counting };
  terminal.progress('looking for keys of this client …');
  try {
    const found = await findStoredKeys(source, key, signal);
    const others = found.filter((each) => isOther(each, { tiers, limiters, options }));
    if (missing !== undefined && !others.some((each) => each.tier === missing)) throw noTier(missing, limiters);
    return { tiers, others, isSearched: true, isBlind: false, counting };
  } catch (error) {
    if (!(error as Error).message.startsWith('NOPERM')) throw error;
    const user = source.primaries()[0]?.options.username ?? 'default';
    const remedy = shell`redis-cli ACL SETUSER ${user} +scan`;
    if (isIncomplete) terminal.note(`Redis was not searched for other tiers: ${remedy}`);
    return { tiers, others: [], isSearched: false, isBlind: isIncomplete, counting };
  }
}

/** The tiers to show: those with a state or an override, or the named ones. */
export function shownOf({ tiers }: ClientStates, { tier }: ClientOptions): readonly TierState[] {
  const isNamed = tier !== undefined;
  return tiers.filter(
    ({ inspection: { isStored, override }, isLimitKnown }) =>
      isStored || override !== undefined || (isNamed && isLimitKnown),
  );
}

/** What the next request of a client gets. */
export interface ClientRuling {
  /** Null where a state that no tier explains may deny it. */
  readonly allowed: boolean | null;
  readonly denying: readonly TierState[];
  /** The tiers with a balance that pays in the place of others. */
  readonly paidBy: readonly TierState[];
  readonly exitCode: ExitCode;
}

export function rulingOf(states: ClientStates, shown: readonly TierState[]): ClientRuling {
  const enforced = shown.filter(({ tier }) => !tier.shadow);
  const short = enforced.filter((state) => isDenying(state) && alikeOf(state, enforced).every(isDenying));
  const paidBy = [...new Set(short.map(({ limiter }) => limiter))].flatMap((limiter) =>
    payerIn(limiter, enforced, short),
  );
  const denying = short.filter(({ limiter }) => !paidBy.some((payer) => payer.limiter === limiter));
  if (denying.length > 0) return { allowed: false, denying, paidBy, exitCode: ExitCode.found };
  const areKnown = enforced.every((state) => state.isLimitKnown && (!isDenying(state) || short.includes(state)));
  // A client that no tier can know by this identity may be denied by another one.
  const isCounted = states.counting.isCounted || shown.length > 0;
  const isKnown = states.others.length === 0 && !states.isBlind && areKnown && isCounted;
  return { allowed: isKnown || null, denying, paidBy, exitCode: isKnown ? ExitCode.fine : ExitCode.unreachable };
}

/** The balance of a limiter that covers all its tiers that deny, and holds the cost. */
function payerIn(
  limiter: LimiterView,
  enforced: readonly TierState[],
  short: readonly TierState[],
): readonly TierState[] {
  const states = enforced.filter((each) => each.limiter === limiter);
  const group = states.map(({ tier, inspection: { policy } }) => ({ tier: tier.name, policy, shadow: false }));
  const fits = states.map((state, place) =>
    isCovering(group[place]!) ? state.inspection.fitsAt < Infinity : !short.includes(state),
  );
  const { payer } = paymentOf(
    group,
    fits.map((each) => ({ retryAfter: each ? 0 : Infinity })),
  );
  return payer === undefined ? [] : [states[payer]!];
}

function isDenying({ isLimitKnown, inspection }: TierState): boolean {
  return isLimitKnown && !inspection.outcome.allowed;
}

/** The states of one tier for each plan that a client may have. */
function alikeOf({ limiter, tier }: TierState, states: readonly TierState[]): readonly TierState[] {
  return states.filter((each) => each.limiter === limiter && each.tier.name === tier.name);
}

function mayHaveOthers(limiters: readonly LimiterView[], { tier: named, partition }: ClientOptions): boolean {
  if (named?.every((name) => limiters.some((limiter) => hasTier(limiter, name)))) return false;
  return limiters.some(
    ({ hasOtherTiers, isPartitioned }) => hasOtherTiers || (isPartitioned && partition === undefined),
  );
}

interface Known {
  readonly tiers: readonly TierState[];
  readonly limiters: readonly LimiterView[];
  readonly options: ClientOptions;
}

/** True for a state that no tier of the configuration has explained, and that may still count. */
function isOther(found: StoredKey, { tiers, limiters, options }: Known): boolean {
  if (options.tier?.includes(found.tier) === false) return false;
  if (tiers.some(({ inspection }) => inspection.key === found.key)) return false;
  if (found.isPartitioned && options.partition === undefined) return true;
  const owners = limiters.filter(({ prefix }) => found.prefix.endsWith(prefix)).flatMap((each) => each.tiers);
  const same = owners.filter(({ name }) => name === found.tier);
  // Another partition of a known tier.
  if (same.some(({ policy }) => keyShape(policy) === found.shape)) return false;
  // An earlier version of a known tier counts nowhere. One of a plan may be that of another plan.
  return same.length === 0 || limiters.some(({ hasOtherTiers }) => hasOtherTiers);
}

function hasTier({ tiers }: LimiterView, name: string): boolean {
  return tiers.some((tier) => tier.name === name);
}

function noTier(name: string, limiters: readonly LimiterView[]): Error {
  const names = limiters.flatMap(({ tiers }) => tiers.map((tier) => tier.name));
  return usage(`--tier ${name}: the configuration has ${[...new Set(names)].join(', ') || 'no tiers'}`);
}

function checkPartition(limiters: readonly LimiterView[], { tier: named = [], partition }: ClientOptions): void {
  const partitioned = limiters.find(
    ({ isPartitioned, tiers }) => isPartitioned && tiers.some(({ name }) => named.includes(name)),
  );
  if (partitioned && partition === undefined) throw usage('--partition must name the partition of the client');
}
