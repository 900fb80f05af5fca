import type { Key, LimiterView, Store } from '@sluice/core';
import { IdentityDigest, ownerText } from '@sluice/core/internal';
import { mergedActs, type Act } from './act.js';
import { creditsOf } from '@sluice/quotas';
import { actOfPosting } from '@sluice/quotas/internal';
import { actsKey } from './act-store.js';
import { auditLog, chosen, type ActChoice } from './audit-log.js';

/** Whose acts are listed. */
export interface ClientChoice extends ActChoice {
  readonly identity: Key | IdentityDigest;
  readonly partition?: Key | IdentityDigest | undefined;
  /** Names of the policies in Redis whose overrides the client may have. */
  readonly policies: readonly string[];
}

/** A client, as the keys of a limiter have it. */
export interface Owner {
  readonly prefix: string;
  readonly digest: string;
  readonly partition: string | undefined;
}

/** A client in the keys of limiters, once for each secret and prefix. Those with `partition` need that of the client. */
export function ownersOf(
  limiters: readonly LimiterView[],
  { identity, partition }: Pick<ClientChoice, 'identity' | 'partition'>,
): readonly Owner[] {
  const owners = limiters.flatMap((limiter): readonly Owner[] => {
    const digest = digestIn(limiter, identity);
    const own = limiter.isPartitioned ? partition : undefined;
    if (limiter.isPartitioned && own === undefined) return [];
    return [{ prefix: limiter.prefix, digest, partition: own === undefined ? undefined : digestIn(limiter, own) }];
  });
  return [...new Map(owners.map((owner) => [ownerKey(owner), owner])).values()];
}

/** How the keys of a client begin. */
export function ownerKey({ prefix, digest, partition }: Owner): string {
  return `${prefix}:${ownerText(digest, partition)}`;
}

/** Beside the overrides of policies in Redis: a Cluster has the keys of the client on another server. */
export function overrideActsKey(
  name: string,
  { digest, partition }: { readonly digest: string; readonly partition?: string | undefined },
): string {
  return `rl:{~policies}:${name}:acts:${digest}${partition === undefined ? '' : `.${partition}`}`;
}

/** All acts on a client, newest first: those beside its keys, beside its overrides, and in the list of the store. */
export async function actsOnClient(
  store: Store,
  limiters: readonly LimiterView[],
  choice: ClientChoice,
): Promise<readonly Act[]> {
  const log = auditLog(store);
  const owners = ownersOf(limiters, choice);
  const keys = owners.flatMap((owner) => [
    actsKey(ownerKey(owner)),
    ...choice.policies.map((name) => overrideActsKey(name, owner)),
  ]);
  const isTheirs = ({ tiers, partition }: Act) =>
    owners.some((owner) => partition === owner.partition && tiers.some(({ digest }) => digest === owner.digest));
  const [all, ...lists] = await Promise.all([
    log.acts.all(),
    ...keys.map((key) => log.acts.of(key)),
    ...limiters.map((limiter) => postingsOn(limiter, choice)),
  ]);
  return chosen(mergedActs([...lists, all.filter(isTheirs)]), choice);
}

/** Credits, debits and reconciliations, also those of programs: the postings of a balance are its list. */
async function postingsOn(limiter: LimiterView, { identity, partition }: ClientChoice): Promise<readonly Act[]> {
  if (limiter.isPartitioned && (partition === undefined || partition instanceof IdentityDigest)) return [];
  const own = limiter.isPartitioned ? (partition as Key) : undefined;
  const balances = limiter.tiers.filter(({ policy }) => policy.algorithm.neverRefills);
  const lists = await Promise.all(
    balances.map(async ({ name: tier }) => {
      const postings = await creditsOf(limiter).postingsFor(identity, {
        tier,
        ...(own !== undefined && { partition: own }),
      });
      const partitionDigest = own === undefined ? undefined : digestIn(limiter, own);
      const owner = { tier, digest: digestIn(limiter, identity), partition: partitionDigest };
      return postings.flatMap((posting) => actOfPosting(posting, owner) ?? []);
    }),
  );
  return lists.flat();
}

function digestIn(limiter: LimiterView, identity: Key | IdentityDigest): string {
  return identity instanceof IdentityDigest ? identity.digest : limiter.digestOf(identity);
}
