import type { Limiter, Tier } from '@sluice/core';
import { balance, creditsOf as accountsOf, usageOf as countedBy } from '@sluice/quotas';
import { isFeatureValue } from '../../packages/core/src/model/feature.js';
import { HOUR_MS } from '../../packages/core/src/model/usage.js';
import type { Caller, Kind } from './kinds.js';

// The calls of credits and usage, for the worlds of all laws.

export const TESTED = 'tested';
/** The balance beside the tier under test. */
const CREDITS = 'credits';

// On a Cluster a balance and the tiers that it covers have one key function.
const key = ({ user }: Caller) => user;
const cost = (caller: Caller) => caller.cost;

export function testedTier({ options }: Kind): Tier<Caller> {
  // A pause charges no request, so it has no cost.
  return { name: TESTED, key, ...(options.algorithm !== 'pause' && { cost }), ...options } as Tier<Caller>;
}

/** True for the options of a balance. */
export function isBalanceOptions({ algorithm }: object & { readonly algorithm?: unknown }): boolean {
  return isFeatureValue(algorithm, 'balance');
}

/** The balance that covers the tier under test, where its kind has one. */
export function tiersBeside({ options, credits }: Kind): readonly Tier<Caller>[] {
  if (credits === undefined || isBalanceOptions(options)) return [];
  const usage = 'usage' in options && { usage: options.usage };
  return [{ name: CREDITS, key, cost, algorithm: balance({ covers: [TESTED] }), ...usage }];
}

/** Gives a caller the credits of a kind. */
export async function fund(limiter: Limiter<Caller>, kind: Kind, caller: Caller): Promise<void> {
  if (kind.credits === undefined) return;
  await accountsOf(limiter).credit(caller, kind.credits, { id: 'the only one', tier: balanceOf(kind) });
}

/** Units that are left of the credits. Undefined where a kind has none. */
export async function creditsOf(limiter: Limiter<Caller>, kind: Kind, caller: Caller): Promise<number | undefined> {
  return kind.credits === undefined ? undefined : remainingOf(limiter, caller, balanceOf(kind));
}

/** Units of a kind with credits that were charged, and did not come back. */
export async function spentOf(limiter: Limiter<Caller>, kind: Kind, caller: Caller): Promise<number> {
  const paid = kind.credits! - (await creditsOf(limiter, kind, caller))!;
  if (balanceOf(kind) === TESTED) return paid;
  return paid + (kind.options as { limit: number }).limit - (await remainingOf(limiter, caller, TESTED));
}

/** Units that a kind with usage has counted, and its credits, by the number of the hour since 1970. */
export async function usageOf(
  limiter: Limiter<Caller>,
  { options }: Kind,
  caller: Caller,
): Promise<ReadonlyMap<number, number>> {
  const counted = new Map<number, number>();
  if (options.usage === undefined) return counted;
  for (const { hours } of await countedBy(limiter).read(caller)) {
    for (const { from, units } of hours) counted.set(from / HOUR_MS, (counted.get(from / HOUR_MS) ?? 0) + units);
  }
  return counted;
}

function balanceOf({ options }: Kind): string {
  return isBalanceOptions(options) ? TESTED : CREDITS;
}

async function remainingOf(limiter: Limiter<Caller>, caller: Caller, tier: string): Promise<number> {
  const [inspection] = await limiter.inspect(caller, { tiers: [tier] });
  return inspection!.outcome.remaining;
}
