import type { MaybePromise } from '../async/maybe-promise.js';
import type { Budgets } from '../model/budgets.js';
import type { IdentityDigest } from '../model/identity-digest.js';
import type { IdentityOptions, InspectOptions, Key, TierChoice } from '../model/identity.js';
import type { Inspection } from '../model/inspection.js';
import type { Outcome } from '../model/outcome.js';
import { checkCallOptions } from '../options/call-options.js';
import { inspectionsOf } from '../stores/inspections.js';
import type { Store } from '../stores/store.js';
import { checkUnits } from './arguments.js';
import type { ClaimBuilder, Claims } from './claims/claim-builder.js';
import type { ClaimSet, Overridden, TierInfo } from './claims/claim-set.js';
import { endingIn, hearTime, overriddenOutcome } from './overrides/decide-in-force.js';
import { tiersByName } from './tiers/tiers-by-name.js';
import type { TierDefinition } from './tiers/tier-definition.js';

/** The names of options. */
const IDENTITY: readonly (keyof IdentityOptions)[] = ['partition', 'limit'];
const INSPECT: readonly (keyof InspectOptions)[] = ['tiers', 'cost'];
const RESET: readonly (keyof TierChoice)[] = ['tiers'];

type Definitions<S> = readonly TierDefinition<S>[];

/** What inspecting needs of a limiter. */
export interface Inspected<S> {
  /** The store of the options: an operator reads past caches and fallbacks. */
  readonly store: Store;
  /** The store with its caches, which forget too. */
  readonly decider: Store;
  readonly claimBuilder: ClaimBuilder<S>;
  /** The same with the overrides of identities. */
  readonly claims: Claims<S>;
  readonly tiersFor: (subject: S) => MaybePromise<Definitions<S>>;
  /** The tiers that an identity without a subject may have. */
  readonly known: () => Definitions<S>;
  /** The tier of a name with the limit of an identity. */
  readonly tierAt: (tier: TierDefinition<S>, limit: number | undefined) => TierDefinition<S>;
}

/** What the tiers of a limiter have of a subject. */
export async function inspect<S>(
  limiter: Inspected<S>,
  subject: Partial<S>,
  options: InspectOptions = {},
): Promise<readonly Inspection[]> {
  const cost = costIn(options);
  const tiers = tiersByName('inspect', await limiter.tiersFor(subject as S), options.tiers);
  return inspectClaims(limiter, await limiter.claims.buildUnits(tiers, subject as S, cost));
}

/** Deletes what the tiers of a limiter have of a subject. */
export async function reset<S>(limiter: Inspected<S>, subject: Partial<S>, options: TierChoice = {}): Promise<void> {
  checkCallOptions('reset', options, RESET);
  const tiers = tiersByName('reset', await limiter.tiersFor(subject as S), options.tiers);
  await limiter.decider.reset(await limiter.claimBuilder.storeKeys(tiers, subject as S));
}

/** The same for an identity without a subject. @throws UsageError for an unknown option */
export function budgetsOf<S>(
  limiter: Inspected<S>,
  identity: Key | IdentityDigest,
  options: IdentityOptions = {},
): Budgets {
  checkCallOptions('of', options, IDENTITY);
  const { partition, limit } = options;
  const { claimBuilder, claims: built, decider, known, tierAt } = limiter;
  return {
    async inspect(choice: InspectOptions = {}) {
      const cost = costIn(choice);
      const tiers = tiersByName('inspect', known(), choice.tiers).map((tier) => tierAt(tier, limit));
      return inspectClaims(limiter, built.buildFor(tiers, identity, { cost, limit, partition }));
    },
    async reset(choice: TierChoice = {}) {
      checkCallOptions('reset', choice, RESET);
      const tiers = tiersByName('reset', known(), choice.tiers);
      // The keys do not depend on the limit.
      const { claims } = claimBuilder.buildFor(tiers, identity, { cost: 1, limit: 1, partition });
      await decider.reset(claims.map(({ key }) => key));
    },
  };
}

/** @throws UsageError */
function costIn(options: InspectOptions): number {
  checkCallOptions('inspect', options, INSPECT);
  const { cost = 1 } = options;
  checkUnits('inspect: cost', cost);
  return cost;
}

async function inspectClaims({ store }: { readonly store: Store }, claimSet: ClaimSet): Promise<readonly Inspection[]> {
  const { tiers, claims, zeroLimits = [], overridden } = claimSet;
  if (overridden !== undefined) await hearTime(store, endingIn(overridden));
  const stored = await inspectionsOf(store, claims);
  if (overridden !== undefined && areOver(overridden, stored)) return inspectClaims({ store }, overridden.again());
  const all = [...stored, ...zeroLimits.map((outcome) => withoutState(outcome, tiers))];
  const inspections = tiers.map(({ name }) => all.find(({ outcome }) => outcome.tier === name)!);
  return overridden === undefined ? inspections : inspections.map((each) => overriddenInspection(each, overridden));
}

/** True if an override was over when the store was read. */
function areOver(overridden: Overridden<ClaimSet>, stored: readonly Inspection[]): boolean {
  for (const { outcome, readAt } of stored) {
    overridden.tiers.get(outcome.tier)?.entry.hear(readAt, { sentAt: undefined, tick: 0 });
  }
  return [...overridden.tiers.values()].some(({ entry }) => entry.isOver);
}

function overriddenInspection(inspection: Inspection, { tiers }: Overridden<ClaimSet>): Inspection {
  const found = tiers.get(inspection.outcome.tier);
  if (found === undefined) return inspection;
  const { override } = found.entry;
  const outcome = overriddenOutcome(inspection.outcome, tiers);
  if (override.limit === null) {
    const free = { ...outcome, allowed: true, never: false, retryAfter: 0 };
    return { ...inspection, outcome: free, override, fitsAt: inspection.readAt };
  }
  if (!inspection.outcome.never || outcome.never) return { ...inspection, outcome, override };
  // A limit of 0 has no state, which the store would have read.
  const readAt = inspection.key === '' ? override.until! - outcome.retryAfter : inspection.readAt;
  return { ...inspection, outcome, override, readAt, fitsAt: override.until! };
}

/** No store has a state of a limit of 0. */
function withoutState(outcome: Outcome, tiers: readonly TierInfo[]): Inspection {
  const { policy } = tiers.find(({ name }) => name === outcome.tier)!;
  const readAt = Date.now();
  const fitsAt = outcome.allowed ? readAt : Infinity;
  return { outcome, recorded: [], key: '', policy, isStored: false, readAt, fitsAt, terms: undefined };
}
