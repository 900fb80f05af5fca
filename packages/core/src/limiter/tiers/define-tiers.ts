import { ConfigError } from '../../model/errors.js';
import { OptionReader } from '../../options/option-reader.js';
import type { OptionRow } from '../../options/option-row.js';
import { show } from '../../options/show.js';
import type { TierContext } from './tier-context.js';
import { TierDefinition } from './tier-definition.js';
import { tierError } from './tier-error.js';
import { featuresOf } from './tier-feature.js';
import { checkTierNames } from './tier-names.js';
import { TIER_ROWS } from './tier-rows.js';
import type { Tier } from './tier.js';

/** The tiers of one request must fit one call to the store. */
const MAX_TIERS = 32;
const TIERS_ROW = {
  code: 'TIERS_INVALID',
  is: (tiers) => Array.isArray(tiers) && tiers.length > 0 && tiers.length <= MAX_TIERS,
  words: `an array of 1 to ${MAX_TIERS} tiers`,
} as const satisfies OptionRow;

/**
 * Checks the tiers of a limiter and sorts them largest first: by window, then by limit, then in the order of
 * declaration. A limit function counts as the largest limit.
 *
 * @throws ConfigError
 */
export function defineTiers<S>(tiers: readonly Tier<S>[], context: TierContext<S>): readonly TierDefinition<S>[] {
  const reader = new OptionReader(context.owner, { tiers }, ['tiers']);
  // A function may return nothing.
  if (tiers === undefined) throw reader.fail(TIERS_ROW.code, 'tiers', `must be ${TIERS_ROW.words}`);
  reader.one('tiers', TIERS_ROW);
  const features = featuresOf(tiers);
  const completed = features.reduce<readonly Tier<S>[]>((all, feature) => feature.complete?.(all) ?? all, tiers);
  const definitions = completed.map((tier) => definitionOf(tier, nameOf(tier, tiers.length, context), context));
  checkNamesDiffer(definitions.map(({ name }) => name));
  checkQueues(context.owner, definitions.filter(isQueue).length);
  checkStore(definitions, context);
  for (const feature of features) feature.check?.(definitions, context);
  checkTierNames(definitions, context);
  return definitions.toSorted((one, other) => other.policy.window - one.policy.window || limitOf(other) - limitOf(one));
}

/** @throws ConfigError that names the tier */
function definitionOf<S>(tier: Tier<S>, name: string, context: TierContext<S>): TierDefinition<S> {
  try {
    return new TierDefinition(tier, name, context);
  } catch (error) {
    throw error instanceof ConfigError ? Object.assign(error, { tier: name }) : error;
  }
}

function nameOf(
  tier: { name?: string } | null,
  count: number,
  { owner, hasOwnStore }: Pick<TierContext<never>, 'owner' | 'hasOwnStore'>,
): string {
  if (typeof tier !== 'object' || tier === null) {
    throw new ConfigError('TIERS_INVALID', 'tiers', tier, `${owner}: tiers must hold objects, got ${show(tier)}`);
  }
  if (tier.name !== undefined)
    return new OptionReader('tier', tier, Object.keys(tier)).one('name', TIER_ROWS.name) as string;
  if (count === 1 && hasOwnStore) return 'default';
  const reason = hasOwnStore
    ? 'where a limiter has several tiers'
    : 'where tiers of other limiters can be in the same store';
  throw new ConfigError('TIER_NAME_REQUIRED', 'name', undefined, `tier: name must be given ${reason}, got undefined`);
}

function checkNamesDiffer(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  const rule = `must stand once in a limiter, got "${repeated}" twice`;
  throw tierError(repeated, 'name', { rule, value: repeated, code: 'TIER_NAME_TAKEN' });
}

function checkQueues(owner: string, count: number): void {
  if (count <= 1) return;
  throw new ConfigError(
    'QUEUE_INVALID',
    'queue',
    count,
    `${owner}: queue must stand in one tier at most, because a request can wait in one place only, got ${count}`,
  );
}

/** @throws ConfigError OPTION_INVALID */
function checkStore(definitions: readonly TierDefinition<never>[], { store }: Pick<TierContext<never>, 'store'>): void {
  const running = definitions.find(({ policy }) => policy.algorithm.endsWithRequest);
  if (running !== undefined && typeof store.renew !== 'function') {
    const algorithm = running.policy.algorithm.name;
    const rule = `must not be "${algorithm}" with this store, which has no method renew`;
    throw tierError(running.name, 'algorithm', { rule, value: algorithm });
  }
  const recording = definitions.find(({ record }) => record !== undefined);
  if (recording === undefined || typeof store.recorded === 'function') return;
  throw tierError(recording.name, 'record', { rule: 'must be left out with this store, which has no method recorded' });
}

function limitOf({ limit, policy }: TierDefinition<never>): number {
  return typeof limit === 'function' ? Number.MAX_SAFE_INTEGER : policy.limit;
}

function isQueue({ policy }: TierDefinition<never>): boolean {
  return 'queued' in policy;
}
