import type { GateTier, GatedLimiterOptions, HttpRequest } from '@sluice/core';
import { GATE_OPTIONS, INHERITED_OPTIONS, inheritOptions } from '@sluice/core/adapter';

import { readOptions } from './options-reader.js';
import { ATS, type At, type RateLimitOptions } from './rate-limit-options.js';

type Values = Readonly<Record<string, unknown>>;

/** Limits that stand at one place: of the module, a controller or a handler. */
export interface Level {
  readonly at: At;
  readonly override: boolean;
  /** By a decorator: it is meant for this handler, and has to be enforced there. */
  readonly decorated: boolean;
  /** Tiers that can be decided together with others, and named in `@SkipRateLimit`; none of plans or a shared limiter. */
  readonly tiers: readonly GateTier<HttpRequest>[] | undefined;
  /** All that is said besides. */
  readonly terms: Values;
}

export interface Surroundings {
  readonly decorated: boolean;
  /** What is the module's where the options do not say. */
  readonly defaults: Values;
  /** Makes the name of a tier in short form. */
  readonly nameTier: () => string | undefined;
}

const NOT_OF_TIERS: readonly string[] = [...INHERITED_OPTIONS, ...GATE_OPTIONS];

/** @throws ConfigError */
export function levelOf(options: RateLimitOptions<never>, { defaults, nameTier, decorated }: Surroundings): Level {
  const reader = readOptions('rateLimit', 'options', options);
  const place = { at: reader.choice<At>('at', ATS, 'entry'), override: reader.flag('override'), decorated };
  const { at: _at, override: _override, ...given } = options;
  const { tiers, onStoreFailure, ...rest } = inheritOptions<Values>(given, defaults);
  if (Array.isArray(tiers)) {
    return { ...place, tiers: (tiers as Values[]).map((tier) => inTrouble(tier, onStoreFailure)), terms: rest };
  }
  const said = onStoreFailure === undefined ? rest : { ...rest, onStoreFailure };
  if (tiers !== undefined) return { ...place, tiers: undefined, terms: { ...said, tiers } };
  if ('limiter' in rest) return { ...place, tiers: undefined, terms: said };
  const tier = inTrouble(oneTier(rest, nameTier), onStoreFailure);
  return { ...place, tiers: [tier], terms: pick(rest, (name) => NOT_OF_TIERS.includes(name)) };
}

/** A tier says for itself what becomes of it, so that those that differ in it are still decided together. */
function inTrouble(tier: Values, onStoreFailure: unknown): GateTier<HttpRequest> {
  const { onStoreFailure: own } = Object(tier) as Values;
  // What cannot be a tier is for the limiter to refuse.
  const said = own === undefined && onStoreFailure !== undefined && tier === Object(tier);
  return (said ? { ...tier, onStoreFailure } : tier) as unknown as GateTier<HttpRequest>;
}

/** The tier that options in short form are of. */
function oneTier(options: Values, nameTier: () => string | undefined): Values {
  const tier = pick(options, (name) => !NOT_OF_TIERS.includes(name));
  const name = tier['name'] ?? nameTier();
  return name === undefined ? tier : { ...tier, name };
}

/** The name of a tier; undefined of what is none, which is for the limiter to refuse. */
export function nameOfTier(tier: GateTier<HttpRequest>): string | undefined {
  return (Object(tier) as GateTier<HttpRequest>).name;
}

/** Levels in groups that are decided together, each in the place of its first. */
export function groupsOf(levels: readonly Level[]): readonly (readonly Level[])[] {
  const groups: Level[][] = [];
  for (const level of levels) {
    const group = groups.find(([first]) => goTogether(first!, level));
    if (group) group.push(level);
    else groups.push([level]);
  }
  return groups;
}

/** What a gate is made of that decides about all levels of a group. */
export function gateOptionsOf(group: readonly Level[]): GatedLimiterOptions<HttpRequest> {
  const { terms, tiers } = group[0]!;
  const all = group.flatMap((level) => level.tiers ?? []);
  return (tiers ? { ...terms, tiers: all } : terms) as unknown as GatedLimiterOptions<HttpRequest>;
}

/** What is said besides the tiers is said of all that are decided together. */
function goTogether(one: Level, other: Level): boolean {
  if (!one.tiers || !other.tiers) return false;
  const names = Object.keys({ ...one.terms, ...other.terms });
  return names.every((name) => one.terms[name] === other.terms[name]);
}

function pick(values: Values, kept: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => kept(name)));
}
