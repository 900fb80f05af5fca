// usage/ prints what a client has used in each hour. An identity enters, and a table leaves. It imports clients,
// invocation and failure.
import type { LimiterView } from '@sluice/core';
import { IdentityDigest, isCounted, parseIdentity } from '@sluice/metrics/operations';
import { usageOf, type TierUsage } from '@sluice/quotas';
import { readIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { wholeDigest } from '../clients/stored-keys.js';
import { ExitCode } from '../failure/exit-code.js';
import { usage as wrongUsage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';

interface UsageOptions {
  readonly config?: string;
  readonly tier?: readonly string[];
  readonly partition?: string;
  readonly days: number;
}

const DAY_MS = 86_400_000;
const COLUMNS = [{ title: 'tier' }, { title: 'day (UTC)' }, { title: 'units', align: 'right' }] as const;

/** Prints what a client has used of the tiers that count it. It changes nothing. */
export async function usage({ args, options, terminal, signal }: Invocation<UsageOptions>): Promise<ExitCode> {
  const identity = await readIdentity(args);
  return withLimiters(options, async (source) => {
    const { key: typed } = identity;
    const key = typed instanceof IdentityDigest ? await wholeDigest(source, typed, signal) : typed;
    const from = startOf(Date.now()) - (options.days - 1) * DAY_MS;
    const found = new Map<string, TierUsage>();
    for (const limiter of countingIn(source.limiters, options)) {
      if (key === undefined) continue;
      const partition = options.partition === undefined ? undefined : parseIdentity(options.partition);
      const tiers = limiter.tiers.filter((tier) => isNamed(tier.name, options) && counts(tier));
      const choice = { tiers: tiers.map(({ name }) => name), from, ...(limiter.isPartitioned && { partition }) };
      for (const each of await usageOf(limiter).readFor(key, choice)) found.set(each.tier, each);
    }
    const used = [...found.values()].filter(({ units }) => units !== 0);
    if (terminal.isJson) terminal.document({ tiers: used.map(documentOf) });
    else if (used.length === 0) terminal.print(`${identity.name} has used nothing of a tier with usage`);
    else {
      terminal.printTable(COLUMNS, used.flatMap(rowsOf));
    }
    return ExitCode.fine;
  });
}

/** @throws Failure where no tier counts usage, or the partition is not named */
function countingIn(limiters: readonly LimiterView[], options: UsageOptions): readonly LimiterView[] {
  const counting = limiters.filter(({ tiers }) => tiers.some((tier) => counts(tier) && isNamed(tier.name, options)));
  if (counting.length === 0) throw wrongUsage('the configuration has no such tier with usage');
  if (options.partition === undefined && counting.some(({ isPartitioned }) => isPartitioned)) {
    throw wrongUsage('--partition must name the partition of the client');
  }
  return counting;
}

function counts({ policy }: LimiterView['tiers'][number]): boolean {
  return isCounted(policy);
}

function isNamed(name: string, { tier }: UsageOptions): boolean {
  return tier?.includes(name) ?? true;
}

function documentOf({ tier, units, hours }: TierUsage): object {
  return { tier, units, hours: hours.map((hour) => ({ from: new Date(hour.from).toISOString(), units: hour.units })) };
}

/** A row for each day with units, and their sum. */
function rowsOf({ tier, units, hours }: TierUsage): readonly (readonly string[])[] {
  const days = new Map<number, number>();
  for (const { from, units: ofHour } of hours) days.set(startOf(from), (days.get(startOf(from)) ?? 0) + ofHour);
  const rows = [...days].map(([day, ofDay]) => [tier, new Date(day).toISOString().slice(0, 10), String(ofDay)]);
  return [...rows, [tier, 'sum', String(units)]];
}

function startOf(time: number): number {
  return time - (time % DAY_MS);
}
