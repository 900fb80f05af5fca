import type { Budgets, Inspection } from '../model/inspection.js';
import type { IdentityDigest } from '../model/identity-digest.js';
import type { IdentityOptions, InspectOptions, Key, TierChoice } from '../model/identity.js';
import { checkCallOptions } from '../options/call-options.js';
import { checkUnits } from './tiers/arguments.js';
import type { Requests } from './requests.js';
import { type TierDefinition, withBeside } from './tiers/tier-definition.js';
import { tiersByName } from './tiers/tiers-by-name.js';

/** The names of options. */
const IDENTITY: readonly (keyof IdentityOptions)[] = ['partition', 'limit'];
const INSPECT: readonly (keyof InspectOptions)[] = ['tiers', 'cost'];
const RESET: readonly (keyof TierChoice)[] = ['tiers'];

/** What the tiers of a limiter have of a subject. */
export async function inspect<S>(
  requests: Requests<S>,
  subject: Partial<S>,
  options: InspectOptions = {},
): Promise<readonly Inspection[]> {
  const cost = costIn(options);
  const tiers = tiersByName('inspect', await requests.book.tiersFor(subject as S), options.tiers);
  return requests.inspect(await requests.buildUnits(tiers, subject as S, cost));
}

/** Deletes what the tiers of a limiter have of a subject. */
export async function reset<S>(requests: Requests<S>, subject: Partial<S>, options: TierChoice = {}): Promise<void> {
  checkCallOptions('reset', options, RESET);
  const tiers = tiersToReset(await requests.book.tiersFor(subject as S), options);
  await requests.decider.reset(withBeside(tiers, await requests.claimBuilder.storeKeys(tiers, subject as S)));
}

/** The same for an identity without a subject. @throws UsageError for an unknown option */
export function budgetsOf<S>(
  requests: Requests<S>,
  identity: Key | IdentityDigest,
  options: IdentityOptions = {},
): Budgets {
  checkCallOptions('of', options, IDENTITY);
  const { partition, limit } = options;
  const { claimBuilder, decider, book } = requests;
  return {
    async inspect(choice: InspectOptions = {}) {
      const cost = costIn(choice);
      const tiers = tiersByName('inspect', book.known(), choice.tiers).map((tier) => book.tierAt(tier, limit));
      return requests.inspect(requests.buildFor(tiers, identity, { cost, limit, partition }));
    },
    async reset(choice: TierChoice = {}) {
      checkCallOptions('reset', choice, RESET);
      const tiers = tiersToReset(book.known(), choice);
      await decider.reset(withBeside(tiers, claimBuilder.storeKeysFor(tiers, identity, { partition })));
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
