import type { LimiterView } from '@sluice/core';
import { overridesOf } from '@sluice/policies/overrides';
import { redisPolicies, type FleetOverride, type PolicyOverrides, type RedisPolicies } from '@sluice/policies';
import { endingLater, FINGERPRINTED, fingerprintIn, FleetOverrides } from '@sluice/policies/operations';
import { readIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { ExitCode } from '../failure/exit-code.js';
import { usage } from '../failure/failure.js';
import type { Invocation } from '../invocation/invocation.js';
import { agreed } from '../terminal/agreed.js';
import { countText } from '../terminal/figures.js';
import type { Terminal } from '../terminal/terminal.js';
import { parseTime } from '../invocation/time.js';
import { authorOf, reasonOf, withPolicies, type ChangeOptions, type PoliciesOptions } from './policies-source.js';
import {
  exitCodeOf,
  printProblems,
  reachedText,
  runningProcesses,
  waitForProcesses,
  type Reached,
} from './processes.js';

interface OverrideOptions extends PoliciesOptions, ChangeOptions {
  readonly limit: string;
  readonly until?: string;
  readonly for?: string;
  /** `remove` can do without. */
  readonly reason?: string;
  readonly by?: string;
  readonly partition?: string;
}

/** What an override is one of. */
const OWNER = ['tier', 'digest', 'partition'] as const;

interface Desk {
  readonly policies: RedisPolicies;
  /** The same door that processes have. */
  readonly overrides: PolicyOverrides;
  /** An override that nobody has yet. */
  readonly check: (given: Parameters<PolicyOverrides['set']>[0]) => FleetOverride;
  readonly identity: Awaited<ReturnType<typeof readIdentity>>;
}

/** Gives one client another limit, in all processes. */
export async function override(invocation: Invocation<OverrideOptions>): Promise<ExitCode> {
  const { args, options, terminal } = invocation;
  const [tier = ''] = args;
  const [limit, until] = [limitOf(options.limit), untilOf(options)];
  const [by, reason] = [authorOf(options.by), reasonOf(options.reason!)];
  return withDesk(invocation, async ({ policies, overrides, check, identity }) => {
    const { partition } = options;
    const given = { tier, identity: identity.key, partition, limit, until, reason, by };
    const wanted = check(given);
    const what = `${limitText(wanted.limit)}${endText(wanted.until)}`;
    if (!(await agreed(terminal, `Give ${identity.name} ${what} in ${tier}?`, options.yes))) return ExitCode.fine;
    const started = performance.now();
    const set = await overrides.set(given);
    const reached = await waitForOverrides(policies, terminal);
    if (terminal.isJson) terminal.document({ override: set, ...reached });
    else terminal.print(`${tier}: ${identity.name} has ${what}; ${reachedText(reached, started)}`);
    if (!terminal.isJson) printProblems(terminal, reached);
    return exitCodeOf(reached);
  });
}

/** Ends the override of a client. Exits with 1 without one. */
export async function remove(invocation: Invocation<OverrideOptions>): Promise<ExitCode> {
  const { args, options, terminal } = invocation;
  const [tier = ''] = args;
  const { reason: why } = options;
  const author = { by: authorOf(options.by), ...(why !== undefined && { reason: reasonOf(why) }) };
  return withDesk(invocation, async ({ policies, overrides, check, identity }) => {
    const choice = { tier, identity: identity.key, partition: options.partition };
    const owned = check({ ...choice, limit: null, reason: 'removed' });
    const known = (await policies.read()).overrides;
    if (!known.some((each) => OWNER.every((name) => each[name] === owned[name]))) {
      if (terminal.isJson) terminal.document({ removed: false });
      else terminal.print('there is no such override');
      return ExitCode.found;
    }
    const question = `Remove the override of ${identity.name} in ${tier}?`;
    if (!(await agreed(terminal, question, options.yes))) return ExitCode.fine;
    const started = performance.now();
    const isRemoved = await overrides.remove(choice, author);
    const reached = await waitForOverrides(policies, terminal);
    if (terminal.isJson) terminal.document({ removed: isRemoved, ...reached });
    else terminal.print(`${tier}: ${identity.name} has the limit of the tier; ${reachedText(reached, started)}`);
    if (!terminal.isJson) printProblems(terminal, reached);
    return exitCodeOf(reached);
  });
}

/** Prints the overrides in Redis. */
export async function list({ options, terminal }: Invocation<PoliciesOptions>): Promise<ExitCode> {
  return withPolicies(options, async (policies) => {
    const { now, overrides } = await policies.read();
    const inForce = overrides.filter(({ until = Infinity }) => until > now);
    if (terminal.isJson) terminal.document({ overrides: inForce });
    else if (inForce.length === 0) terminal.print('there are no overrides in Redis');
    else {
      const rows = inForce.map((each) => [
        each.tier,
        each.digest,
        limitText(each.limit),
        endOf(each.until),
        each.at === undefined ? '' : new Date(each.at).toISOString(),
        each.by ?? '',
        each.reason,
      ]);
      terminal.printTable(
        ['tier', 'digest', 'limit', 'until', 'set', 'by', 'reason'].map((title) => ({ title })),
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
    const policies = redisPolicies(source.store, { name: options.name });
    await runningProcesses(policies, options.first);
    const check: Desk['check'] = (given) => checked(limiter, given);
    const overrides = new FleetOverrides({ redis: policies, check, list: () => limiter.overrides });
    return run({ policies, overrides, check, identity });
  });
}

/** @throws ConfigError */
function checked(limiter: LimiterView, given: Parameters<PolicyOverrides['set']>[0]): FleetOverride {
  const wanted = endingLater(overridesOf(limiter).check(given));
  return limiter.isKeyed ? { ...wanted, fingerprint: fingerprintIn(limiter.digestOf(FINGERPRINTED)) } : wanted;
}

/** Waits until each process has the overrides of this moment. */
async function waitForOverrides(policies: RedisPolicies, terminal: Terminal): Promise<Reached> {
  const changes = await policies.changes();
  return waitForProcesses(policies, (process) => process.changes >= changes, terminal);
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
