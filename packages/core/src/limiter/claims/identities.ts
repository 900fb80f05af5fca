import { isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import { withOwner } from '../tiers/call-user-function.js';
import { refuseIdentity } from '../tiers/invalid-result.js';
import { StoredIdentity, type StoredKey } from '../keys/stored-identity.js';
import type { KeyParts, StoreKeys } from '../keys/store-keys.js';

/** Whom a request counts for: one for all tiers that have one key function, else one for each tier. */
export type Identities = StoredIdentity<KeyParts> | readonly StoredIdentity<KeyParts>[];

/** What identifies the clients of a plan. */
interface KeyedPlan<S> {
  readonly tiers: readonly TierDefinition<S>[];
  readonly keys: readonly StoreKeys[];
  readonly hasOneKey: boolean;
}

/** The store key of a request in a tier of its plan. */
export function storedKeyAt(keys: readonly StoreKeys[], identities: Identities, index: number): StoredKey<KeyParts> {
  const stored = identities instanceof StoredIdentity ? identities : identities[index]!;
  return keys[index]!.storedKeyIn(stored);
}

/**
 * Calls the key functions of a plan. Tiers of one key function that follow each other share a call.
 *
 * @throws UsageError for what is no identity; as a rejection where a function is async, or fails
 */
export function identitiesOf<S>(plan: KeyedPlan<S>, subject: S): MaybePromise<Identities> {
  if (!plan.hasOneKey) return identitiesOfEach(plan, subject);
  const tier = plan.tiers[0]!;
  let identity: unknown;
  try {
    identity = tier.key(subject);
  } catch (cause) {
    return settledOf([tier], [Promise.reject(cause)], subject).then(([each]) => storedFor(plan, 0, each));
  }
  // Most are no promise, and are known by their class.
  if (identity instanceof StoredIdentity) return identity as StoredIdentity<KeyParts>;
  if (!isPromise(identity)) return storedFor(plan, 0, identity);
  return settledOf([tier], [identity], subject).then(([each]) => storedFor(plan, 0, each));
}

function identitiesOfEach<S>(plan: KeyedPlan<S>, subject: S): MaybePromise<Identities> {
  const { tiers } = plan;
  const identities = new Array<unknown>(tiers.length);
  let isPending = false;
  for (let index = 0; index < tiers.length; index += 1) {
    const { key } = tiers[index]!;
    if (index > 0 && key === tiers[index - 1]!.key) {
      identities[index] = identities[index - 1];
      continue;
    }
    try {
      identities[index] = key(subject);
    } catch (cause) {
      // A rejection, so that the promises of the other functions are handled too.
      identities[index] = Promise.reject(cause);
    }
    if (isPromise(identities[index])) isPending = true;
  }
  const storedForEach = (all: readonly unknown[]) => all.map((each, index) => storedFor(plan, index, each));
  return isPending ? settledOf(tiers, identities, subject).then(storedForEach) : storedForEach(identities);
}

/** Waits for identities. An error of a function says whose function it was. */
function settledOf<S>(
  tiers: readonly TierDefinition<S>[],
  identities: readonly unknown[],
  subject: S,
): Promise<readonly unknown[]> {
  return Promise.all(
    identities.map((identity, index) => {
      const { owner, key } = tiers[index]!;
      return withOwner(`${owner}: the function key`, identity, { subject, call: key });
    }),
  );
}

function storedFor({ tiers, keys }: KeyedPlan<never>, index: number, identity: unknown): StoredIdentity<KeyParts> {
  return keys[index]!.storedOf(identity) ?? refuseIdentity(tiers[index]!, identity);
}
