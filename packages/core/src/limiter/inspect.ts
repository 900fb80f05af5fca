import type { Budgets } from '../model/budgets.js';
import type { IdentityDigest } from '../model/identity-digest.js';
import type { IdentityOptions, InspectOptions, Key, TierChoice } from '../model/identity.js';
import type { Inspection } from '../model/inspection.js';
import type { Claim } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import { admitsNothing } from '../model/policy.js';
import { checkCallOptions } from '../options/call-options.js';
import { inspectionsOf } from '../stores/inspections.js';
import type { Store } from '../stores/store.js';
import { checkUnits } from './arguments.js';
import type { ClaimSet, TierInfo } from './claims/claim-set.js';
import type { LimiterParts } from './limiter-parts.js';
import type { Pipeline } from './pipeline.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import { tiersByName } from './tiers/tiers-by-name.js';
import { answerWithoutStore } from '../stores/without-store.js';

/** The names of options. */
const IDENTITY: readonly (keyof IdentityOptions)[] = ['partition', 'limit'];
const INSPECT: readonly (keyof InspectOptions)[] = ['tiers', 'cost'];
const RESET: readonly (keyof TierChoice)[] = ['tiers'];

/** What inspecting needs of a limiter. */
interface Inspected<S> extends LimiterParts<S> {
  readonly pipeline: Pipeline<S>;
}

/** What the tiers of a limiter have of a subject. */
export async function inspect<S>(
  limiter: Inspected<S>,
  subject: Partial<S>,
  options: InspectOptions = {},
): Promise<readonly Inspection[]> {
  const cost = costIn(options);
  const { book, pipeline } = limiter;
  const tiers = tiersByName('inspect', await book.tiersFor(subject as S), options.tiers);
  return pipeline.inspect(await pipeline.buildUnits(tiers, subject as S, cost));
}

/** Deletes what the tiers of a limiter have of a subject. */
export async function reset<S>(limiter: Inspected<S>, subject: Partial<S>, options: TierChoice = {}): Promise<void> {
  checkCallOptions('reset', options, RESET);
  const tiers = tiersToReset(await limiter.book.tiersFor(subject as S), options);
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
  const { claimBuilder, pipeline, decider, book } = limiter;
  return {
    async inspect(choice: InspectOptions = {}) {
      const cost = costIn(choice);
      const tiers = tiersByName('inspect', book.known(), choice.tiers).map((tier) => book.tierAt(tier, limit));
      return pipeline.inspect(pipeline.buildFor(tiers, identity, { cost, limit, partition }));
    },
    async reset(choice: TierChoice = {}) {
      checkCallOptions('reset', choice, RESET);
      await decider.reset(claimBuilder.storeKeysFor(tiersToReset(book.known(), choice), identity, { partition }));
    },
  };
}

/** A client has paid for a balance: it is deleted by its name alone. */
function tiersToReset<S>(all: readonly TierDefinition<S>[], { tiers }: TierChoice): readonly TierDefinition<S>[] {
  const named = tiersByName('reset', all, tiers);
  return tiers === undefined ? named.filter(({ policy }) => !policy.algorithm.neverRefills) : named;
}

/** @throws UsageError */
function costIn(options: InspectOptions): number {
  checkCallOptions('inspect', options, INSPECT);
  const { cost = 1 } = options;
  checkUnits('inspect: cost', cost);
  return cost;
}

/** What a store has of claims. */
export async function inspectClaims(store: Store, claimSet: ClaimSet): Promise<readonly Inspection[]> {
  const { tiers, claims } = claimSet;
  const isEmpty = ({ policy }: Claim) => admitsNothing(policy);
  const stored = await inspectionsOf(
    store,
    claims.filter((claim) => !isEmpty(claim)),
  );
  const { outcomes } = answerWithoutStore(claims.filter(isEmpty));
  const all = [...stored, ...outcomes.map((outcome) => withoutState(outcome, tiers))];
  return tiers.map(({ name }) => all.find(({ outcome }) => outcome.tier === name)!);
}

/** No store has a state of a limit of 0. */
function withoutState(outcome: Outcome, tiers: readonly TierInfo[]): Inspection {
  const { policy } = tiers.find(({ name }) => name === outcome.tier)!;
  const readAt = Date.now();
  const fitsAt = outcome.allowed ? readAt : Infinity;
  return { outcome, recorded: [], key: '', policy, isStored: false, readAt, fitsAt, terms: undefined };
}
