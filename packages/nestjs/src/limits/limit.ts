import type { GateTier, HttpRequest } from '@sluice/http';
import { FLAG, GATE_OPTIONS, INHERITED_OPTIONS, inheritOptions, type GatedLimiterOptions } from '@sluice/http/adapter';

import { readOptions, type RateLimitOptions } from './options.js';
import { GUARD_STAGES, type GuardStage } from './guard-stage.js';

type Values = Readonly<Record<string, unknown>>;

/** What the module or one `@RateLimit` says, with the options that it inherits. */
export interface Limit {
  readonly stage: GuardStage;
  readonly override: boolean;
  /** A decorated limit must be enforced on its own handler, a limit of the module on any. */
  readonly isDecorated: boolean;
  /** Tiers that can join the tiers of other limits; undefined for plans and for a shared limiter. */
  readonly tiers: readonly GateTier<HttpRequest>[] | undefined;
  /** The other options of the limiter and of its gate. */
  readonly options: Values;
}

export interface LimitContext {
  readonly isDecorated: boolean;
  /** The options of the module. */
  readonly defaults: Values;
  /** Names the tier of options in short form. */
  readonly nameTier: () => string | undefined;
}

const NON_TIER_OPTIONS: readonly string[] = [...INHERITED_OPTIONS, ...GATE_OPTIONS];

export function createLimit(options: RateLimitOptions<never>, context: LimitContext): Limit {
  const { isDecorated, defaults, nameTier } = context;
  const reader = readOptions('rateLimit', 'options', options);
  const stage = reader.one('at', { oneOf: GUARD_STAGES, otherwise: 'entry' });
  const base = { stage, override: reader.one('override', FLAG), isDecorated };
  const { at: _at, override: _override, ...own } = options;
  const inherited = inheritOptions<Values>(own, defaults);
  const { tiers, onStoreFailure, ...rest } = inherited;
  if (Array.isArray(tiers)) {
    const joinable = (tiers as Values[]).map((tier) => withFailureMode(tier, onStoreFailure));
    return { ...base, tiers: joinable, options: rest };
  }
  if (tiers !== undefined || 'limiter' in rest) return { ...base, tiers: undefined, options: inherited };
  const tier = withFailureMode(tierOf(rest, nameTier), onStoreFailure);
  return { ...base, tiers: [tier], options: pick(rest, (name) => NON_TIER_OPTIONS.includes(name)) };
}

/** Tiers carry `onStoreFailure` themselves, so that limits that differ in it can still be decided together. */
function withFailureMode(tier: Values, onStoreFailure: unknown): GateTier<HttpRequest> {
  // A balance takes the default of its limiter alone.
  const isDefault = onStoreFailure === undefined || onStoreFailure === 'local';
  // The limiter rejects a tier that is not an object.
  const isInherited = !isDefault && tier === Object(tier) && tier['onStoreFailure'] === undefined;
  return (isInherited ? { ...tier, onStoreFailure } : tier) as unknown as GateTier<HttpRequest>;
}

function tierOf(options: Values, nameTier: () => string | undefined): Values {
  const tier = pick(options, (name) => !NON_TIER_OPTIONS.includes(name));
  const name = tier['name'] ?? nameTier();
  return name === undefined ? tier : { ...tier, name };
}

/** The names of the tiers of limits; undefined for a tier that the limiter will reject. */
export function tierNamesIn(limits: readonly Limit[]): readonly (string | undefined)[] {
  return limits.flatMap(({ tiers = [] }) => tiers.map(nameOfTier));
}

export function nameOfTier(tier: GateTier<HttpRequest>): string | undefined {
  return (Object(tier) as GateTier<HttpRequest>).name;
}

/** Limits in groups that one gate can decide together, in the order of the first limit of each group. */
export function groupLimits(limits: readonly Limit[]): readonly (readonly Limit[])[] {
  const groups: Limit[][] = [];
  for (const limit of limits) {
    const group = groups.find(([first]) => canJoin(first!, limit));
    if (group) group.push(limit);
    else groups.push([limit]);
  }
  return groups;
}

/** The options of the gate that decides a group. */
export function gateOptionsOf(group: readonly Limit[]): GatedLimiterOptions<HttpRequest> {
  const { options, tiers } = group[0]!;
  const all = group.flatMap((limit) => limit.tiers ?? []);
  return (tiers ? { ...options, tiers: all } : options) as unknown as GatedLimiterOptions<HttpRequest>;
}

/** Tiers of one limiter share all other options. */
function canJoin(one: Limit, other: Limit): boolean {
  if (!one.tiers || !other.tiers) return false;
  const names = Object.keys({ ...one.options, ...other.options });
  return names.every((name) => one.options[name] === other.options[name]);
}

function pick(values: Values, isPicked: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isPicked(name)));
}
