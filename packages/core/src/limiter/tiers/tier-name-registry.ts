import { ConfigError } from '../../model/errors.js';
import { sameRule, type Policy } from '../../model/policy.js';
import { processWide } from '../../model/process-wide.js';
import { show } from '../../options/option-reader.js';
import { keyspaceOf } from '../../stores/keyspace.js';
import type { TierContext } from './tier-context.js';
import type { TierDefinition } from './tier-definition.js';

const NAME = /^[\x20-\x7e]{1,64}$/;
/** A percent sign is allowed only in the code of a character that names cannot have: names of routes are encoded so. */
const RESERVED = /[{}"\\]|%(?!22|25|5C|7[BDF]|[0189A-F][\dA-F])/;

/** The numbers of a name, without its tier: a limiter that is not closed can be collected, and its name stays reserved. */
interface Reservation {
  readonly policy: Policy;
  /** The limit function, which may hold anything of the application. */
  readonly limit: WeakRef<object> | undefined;
  /** Limiters that have the name. */
  readonly users: number;
}

const reservations = processWide('tier-names', () => new WeakMap<object, Map<string, Reservation>>());
/** The names that a limiter has reserved. Undefined once it was closed. */
const namesByLimiter = new WeakMap<TierContext<never>, Set<string> | undefined>();

/**
 * Reserves the names of tiers, all or none: in a store and prefix a name belongs to one set of numbers. Only the plans
 * of one limiter may give a name several limits, so that a client that changes its plan keeps its usage.
 *
 * @throws ConfigError TIER_NAME_TAKEN
 */
export function registerTierNames(context: TierContext<never>, tiers: readonly TierDefinition<never>[]): void {
  const ours = namesOf(context);
  // A closed limiter may still get a plan.
  if (ours === undefined) return;
  checkNames(context, ours, { tiers, mayChange: false });
  reserve(context, ours, tiers);
}

/**
 * Reserves the names of the tiers that a limiter gets in place of all others, all or none, and frees its other names.
 *
 * @throws ConfigError TIER_NAME_TAKEN
 */
export function replaceTierNames(context: TierContext<never>, tiers: readonly TierDefinition<never>[]): void {
  const ours = namesOf(context);
  if (ours === undefined) return;
  checkReplacingNames(context, tiers);
  free(context, ours);
  reserve(context, new Set(), tiers);
}

/** @throws ConfigError TIER_NAME_TAKEN for a name that `replaceTierNames` would not take */
export function checkReplacingNames(context: TierContext<never>, tiers: readonly TierDefinition<never>[]): void {
  checkNames(context, namesOf(context) ?? new Set(), { tiers, mayChange: true });
}

interface Wanted {
  readonly tiers: readonly TierDefinition<never>[];
  /** A name that only this limiter has may get other numbers. */
  readonly mayChange: boolean;
}

/** @param ours names that the limiter has */
function checkNames(context: TierContext<never>, ours: ReadonlySet<string>, { tiers, mayChange }: Wanted): void {
  const names = reservationsOf(context);
  const isTaken = (tier: TierDefinition<never>) => {
    const entry = entryOf(context, tier);
    const found = names.get(entry);
    if (found === undefined) return false;
    const isOursAlone = ours.has(entry) && found.users === 1;
    if (!isOursAlone) return !hasNumbers(found, tier);
    return !mayChange && found.policy.dimensions !== tier.policy.dimensions;
  };
  const taken = tiers.find(isTaken);
  if (taken === undefined) return;
  const { name } = taken;
  throw new ConfigError(
    'TIER_NAME_TAKEN',
    'name',
    name,
    `tier "${name}": name must belong to one tier of a store, and another tier of this name has other numbers or another limit function: rename one, or use the same object for both, got "${name}"`,
    { tier: name },
  );
}

/** @param ours names that the limiter has: these get the numbers of the tiers, and no user more */
function reserve(context: TierContext<never>, ours: Set<string>, tiers: readonly TierDefinition<never>[]): void {
  const names = reservationsOf(context);
  for (const tier of tiers) {
    const { policy, limit } = tier;
    const entry = entryOf(context, tier);
    const users = (names.get(entry)?.users ?? 0) + (ours.has(entry) ? 0 : 1);
    names.set(entry, { policy, limit: typeof limit === 'function' ? new WeakRef(limit) : undefined, users });
    ours.add(entry);
  }
  namesByLimiter.set(context, ours);
}

/** Frees the names of a limiter that was closed. A name stays reserved while another limiter has it. */
export function releaseTierNames(context: TierContext<never>): void {
  free(context, namesByLimiter.get(context) ?? new Set());
  namesByLimiter.set(context, undefined);
}

function free(context: TierContext<never>, ours: ReadonlySet<string>): void {
  const names = reservationsOf(context);
  for (const entry of ours) {
    const reservation = names.get(entry)!;
    if (reservation.users > 1) names.set(entry, { ...reservation, users: reservation.users - 1 });
    else names.delete(entry);
  }
}

/** Undefined for a limiter that was closed. */
function namesOf(context: TierContext<never>): Set<string> | undefined {
  return namesByLimiter.has(context) ? namesByLimiter.get(context) : new Set<string>();
}

function reservationsOf({ store }: TierContext<never>): Map<string, Reservation> {
  const keyspace = keyspaceOf(store);
  const names = reservations.get(keyspace) ?? new Map<string, Reservation>();
  reservations.set(keyspace, names);
  return names;
}

/** A prefix has no space, so that the two cannot be confused. */
function entryOf({ prefix }: TierContext<never>, { name }: TierDefinition<never>): string {
  return `${prefix} ${name}`;
}

/** Two tiers of one name share their budgets if their numbers are the same. */
function hasNumbers({ policy, limit }: Reservation, tier: TierDefinition<never>): boolean {
  const isSameLimit = typeof tier.limit === 'function' ? limit?.deref() === tier.limit : limit === undefined;
  return isSameLimit && sameRule(policy, tier.policy);
}

/** @throws ConfigError TIER_NAME_INVALID */
export function checkTierName(name: unknown): string {
  if (typeof name === 'string' && NAME.test(name) && !RESERVED.test(name)) return name;
  throw new ConfigError(
    'TIER_NAME_INVALID',
    'name',
    name,
    `tier: name must be 1 to 64 printable ASCII characters without { } " \\ and %, got ${show(name)}`,
  );
}
