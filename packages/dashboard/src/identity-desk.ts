import { limitersOf, type Inspection, type Key, type Store } from '@sluice/core';
import {
  balanceText,
  IdentityDigest,
  isCounted,
  limitSource,
  mayForget,
  parseIdentity,
  termsLines,
  tierStates,
  typedIdentity,
  type TierState,
} from '@sluice/metrics/operations';
import { ownerKey, ownersOf, resetClient, type Author } from '@sluice/policies/operations';
import { usageOf, type TierUsage } from '@sluice/quotas';
import { HttpFailure } from './http-failure.js';
import type { Forgotten, Look, TierLook } from './messages.js';
import { policyText } from './policy-text.js';
import { usageText } from './usage-text.js';

/** How long the deny caches of other processes may hold a denial. In milliseconds. */
const DENIED_FOR = 60_000;
/** Characters of a digest. A list shows fewer. */
const WHOLE = 22;

/** What a request names: an identity, or the digest of one in a tier. */
export interface Named {
  readonly identity: Key | IdentityDigest;
  readonly tier: string | undefined;
  /** The one tier that is meant. */
  readonly only?: string;
  readonly partition: Key | undefined;
}

/** Finds identities in the limiters of a store, and forgets them. */
export class IdentityDesk {
  readonly #store: Store;
  readonly #digestOf: (tier: string, shown: string) => string | undefined;

  /** @param digestOf the whole digest of an entry that a list shows */
  constructor(store: Store, digestOf: (tier: string, shown: string) => string | undefined) {
    this.#store = store;
    this.#digestOf = digestOf;
  }

  /** @throws HttpFailure 400, 404; StoreError */
  async look(body: object): Promise<Look> {
    const named = this.namedBy(body);
    const states = await this.statesOf(named);
    const used = await Promise.all(states.map((state) => usedBy(state, named)));
    const looks = states.flatMap((state, index) => {
      const { inspection, isLimitKnown } = state;
      const isShown = inspection.isStored || inspection.override !== undefined || used[index] !== undefined;
      return isLimitKnown && isShown ? [tierLook(state, used[index])] : [];
    });
    const names = [...new Set(states.map(({ tier }) => tier.name))];
    return { tiers: looks, names, notes: this.#notes(named, states) };
  }

  /**
   * Deletes what tiers have of an identity. A balance only by the name of its tier. A known id has its earlier answer.
   *
   * @throws HttpFailure 400, 403, 404; UsageError for an id that names another act; StoreError
   */
  async forget(body: object, author: Author, mayForgetBalances = true): Promise<Forgotten> {
    const named = this.namedBy(body);
    const isMeant = (state: TierState) => mayForget(state) || state.tier.name === named.tier;
    const found = (await this.statesOf(named)).filter((state) => state.inspection.isStored && isMeant(state));
    if (!mayForgetBalances && !found.every(mayForget)) {
      throw new HttpFailure(403, 'to forget a balance needs the role admin, because a client has paid for it');
    }
    // A tier has a state for each plan, of one key.
    const stored = [...new Map(found.map((state) => [state.inspection.key, state])).values()];
    const { identity, partition } = named;
    const states = stored.map(({ tier, inspection: { key } }) => ({ tier: tier.name, key }));
    // Their limiters also know what lies beside them.
    const reset = async (keys: readonly string[]) => {
      const own = stored.filter(({ inspection }) => keys.includes(inspection.key));
      await Promise.all(
        own.map(({ limiter, tier }) => limiter.of(identity, { partition }).reset({ tiers: [tier.name] })),
      );
    };
    const owners = author.id === undefined ? [] : ownersOf(limitersOf(this.#store), named).map(ownerKey);
    const done = await resetClient(this.#store, states, { ...author, reset, owners, tier: named.tier });
    const tiers = [...new Set(done.flatMap(({ act }) => act.tiers.map(({ tier }) => tier)))];
    return { tiers, deniedFor: DENIED_FOR, isNew: done.some(({ isNew }) => isNew) };
  }

  /** What tiers have of an identity. */
  async statesOf({ identity, tier, only, partition }: Named): Promise<readonly TierState[]> {
    const limiters = limitersOf(this.#store).filter(
      ({ tiers, isPartitioned }) =>
        (tier === undefined || tiers.some(({ name }) => name === tier)) &&
        !(isPartitioned && identity instanceof IdentityDigest),
    );
    const states = await tierStates(limiters, identity, { partition });
    return only === undefined ? states : states.filter((state) => state.tier.name === only);
  }

  /** @throws HttpFailure 400, 404 */
  namedBy(body: object): Named {
    const { kind, values, partition, tier, digest } = body as Record<string, unknown>;
    if (typeof tier === 'string' && typeof digest === 'string') {
      const whole = digest.length === WHOLE ? digest : this.#digestOf(tier, digest);
      if (whole === undefined) throw new HttpFailure(404, 'this identity is not in the list any more');
      return { identity: new IdentityDigest(whole), tier, partition: undefined };
    }
    if (typeof kind !== 'string' || !isTexts(values) || !(partition === undefined || typeof partition === 'string')) {
      throw new HttpFailure(400, 'send kind and values, or tier and digest');
    }
    const tag = partition === undefined || partition === '' ? undefined : parseIdentity(partition, true);
    const one = typeof tier === 'string' ? { tier, only: tier } : { tier: undefined };
    return { identity: typedIdentity(kind, values, true), ...one, partition: tag };
  }

  #notes({ identity, tier, partition }: Named, states: readonly TierState[]): readonly string[] {
    const limiters = limitersOf(this.#store);
    const open = states.filter(({ isLimitKnown, inspection }) => !isLimitKnown && inspection.isStored);
    const notes = open.map((state) => `${state.tier.name} has a state, and its limit depends on the request`);
    const partitioned = limiters.filter(({ isPartitioned, tiers }) => {
      if (!isPartitioned || partition !== undefined) return false;
      return tier === undefined || tiers.some(({ name }) => name === tier);
    });
    const names = partitioned.flatMap(({ tiers }) => tiers.map(({ name }) => name));
    if (names.length === 0) return notes;
    const remedy = identity instanceof IdentityDigest ? 'find the identity with its partition' : 'add the partition';
    return [...notes, `not read: ${names.join(', ')}. Their keys have a partition: ${remedy}`];
  }
}

function isTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

/** What an identity has used of a tier with `usage`. Undefined where it has used nothing. */
async function usedBy({ limiter, tier }: TierState, { identity, partition }: Named): Promise<TierUsage | undefined> {
  if (!isCounted(tier.policy)) return undefined;
  const [used] = await usageOf(limiter).readFor(identity, { partition, tiers: [tier.name] });
  return used === undefined || used.hours.length === 0 ? undefined : used;
}

function tierLook(state: TierState, used: TierUsage | undefined): TierLook {
  const { tier, inspection, plan } = state;
  const { outcome, policy, recorded, override } = inspection;
  const hasSource = override === undefined && !policy.algorithm.neverRefills;
  const source = hasSource ? [`limit: ${limitSource(state)}`] : [];
  const balance = balanceText(inspection);
  return {
    tier: plan === undefined ? tier.name : `${tier.name}, plan ${plan}`,
    shadow: tier.shadow,
    policy: policyText(policy, false),
    allowed: outcome.allowed,
    limit: outcome.limit,
    remaining: outcome.remaining,
    retryAfter: waitOf(inspection),
    replenishAfter: outcome.replenishAfter,
    resetAfter: outcome.resetAfter,
    isOverridden: override !== undefined,
    reasons: [
      ...source,
      ...termsLines(inspection),
      ...(used === undefined ? [] : [usageText(used, inspection.readAt)]),
    ],
    ...(balance !== undefined && { balance }),
    recorded,
  };
}

/** Until the next request fits, by the clock of the store. */
function waitOf({ fitsAt, readAt }: Inspection): number | null {
  return fitsAt === Infinity ? null : Math.max(0, Math.ceil(fitsAt - readAt));
}
