import type { LimiterView } from '@sluice/core';
import { overridesOf, type Override } from '@sluice/core/overrides';
import { redisPolicies, type RedisPolicies } from '@sluice/policies';
import { endingLater } from '@sluice/policies/operations';
import { readIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { ExitCode } from '../exit-code.js';
import { usage } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { prefixesOf } from '../sources/prefixes.js';
import { countText } from '../terminal/figures.js';
import { parseTime } from '../time.js';
import { reasonOf, withPolicies, type PoliciesOptions } from './policies-source.js';

interface OverrideOptions extends PoliciesOptions {
  readonly limit: string;
  readonly until?: string;
  readonly for?: string;
  readonly reason: string;
  readonly partition?: string;
}

interface Desk {
  readonly policies: RedisPolicies;
  readonly limiter: LimiterView;
  readonly identity: Awaited<ReturnType<typeof readIdentity>>;
}

/** Gives one client another limit, in all processes. */
export async function override(invocation: Invocation<OverrideOptions>): Promise<ExitCode> {
  const { args, options, terminal } = invocation;
  const [tier = ''] = args;
  const [limit, until] = [limitOf(options.limit), untilOf(options)];
  const reason = reasonOf(options.reason);
  return withDesk(invocation, async ({ policies, limiter, identity }) => {
    const { partition } = options;
    const given = { tier, identity: identity.key, partition, limit, until, reason };
    const set = endingLater(overridesOf(limiter).check(given));
    await policies.override(set);
    const { length } = await policies.processes();
    if (terminal.isJson) terminal.document({ override: set, processes: length });
    else {
      terminal.print(`${tier}: ${identity.name} has ${limitText(set.limit)}${endText(set.until)}`);
      terminal.note(
        `in force within 6 s in ${length} ${length === 1 ? 'process' : 'processes'} that read the policies`,
      );
    }
    return ExitCode.fine;
  });
}

/** Ends the override of a client. Exits with 1 without one. */
export async function remove(invocation: Invocation<OverrideOptions>): Promise<ExitCode> {
  const { args, options, terminal } = invocation;
  const [tier = ''] = args;
  return withDesk(invocation, async ({ policies, limiter, identity }) => {
    const { partition } = options;
    const owner = { tier, identity: identity.key, partition, limit: null, reason: 'removed' };
    const isRemoved = await policies.removeOverride(overridesOf(limiter).check(owner));
    if (terminal.isJson) terminal.document({ removed: isRemoved });
    else
      terminal.print(isRemoved ? `${tier}: ${identity.name} has the limit of the tier` : 'there is no such override');
    return isRemoved ? ExitCode.fine : ExitCode.found;
  });
}

/** Prints the overrides in Redis. */
export async function list({ options, terminal }: Invocation<PoliciesOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies) => {
    const { now, overrides = [] } = await policies.read();
    const inForce = overrides.filter(({ until = Infinity }) => until > now);
    if (terminal.isJson) terminal.document({ overrides: inForce });
    else if (inForce.length === 0) terminal.print('there are no overrides in Redis');
    else {
      const rows = inForce.map((each: Override) => [
        each.tier,
        each.digest,
        limitText(each.limit),
        endOf(each.until),
        each.reason,
      ]);
      terminal.printTable(
        ['tier', 'digest', 'limit', 'until', 'reason'].map((title) => ({ title })),
        rows,
      );
    }
    return ExitCode.fine;
  });
}

async function withDesk<T>(
  { args, options }: Invocation<OverrideOptions>,
  run: (desk: Desk) => Promise<T>,
): Promise<T> {
  const [tier = '', ...client] = args;
  const identity = await readIdentity(client);
  return withLimiters(options, async (source) => {
    const limiter = source.limiters.find(({ tiers }) => tiers.some(({ name }) => name === tier));
    if (limiter === undefined) {
      const names = source.limiters.flatMap(({ tiers }) => tiers.map(({ name }) => name));
      throw usage(`there is no tier "${tier}": the configuration has ${[...new Set(names)].join(', ')}`);
    }
    const [prefix = 'rl'] = prefixesOf(source);
    const policies = redisPolicies(source.store, { name: options.name, prefix });
    return run({ policies, limiter, identity });
  });
}

/** @throws Failure */
function limitOf(text: string): number | null {
  if (text === 'none') return null;
  if (text === 'never') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage('--limit must be a whole number of units, "never" or "none"');
}

/** A moment, or a duration from now. @throws Failure */
function untilOf({ until, for: duration }: OverrideOptions): string | number | undefined {
  if (duration === undefined) return until;
  if (until !== undefined) throw usage('write --until or --for, not both');
  const milliseconds = parseTime(duration);
  if (milliseconds === undefined) throw usage('--for must be a duration such as 30m, 2h or 7d');
  return Date.now() + Math.ceil(milliseconds);
}

function limitText(limit: number | null): string {
  if (limit === null) return 'no limit';
  return limit === 0 ? 'never' : countText(limit);
}

function endText(until: number | undefined): string {
  return until === undefined ? ' until it is removed' : ` until ${endOf(until)}`;
}

function endOf(until: number | undefined): string {
  return until === undefined ? 'removed' : new Date(until).toISOString();
}
