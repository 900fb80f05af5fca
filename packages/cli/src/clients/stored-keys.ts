import type { Key } from '@sluice/core';
import { IdentityDigest } from '@sluice/metrics/operations';
import { usage } from '../failure/failure.js';
import { keyPrefixOf } from '../keys/keys.js';
import { keyTable, isState, type StateName } from '../keys/key-table.js';
import { scan } from '../keys/scan.js';
import type { RedisSource } from '../sources/redis-source.js';

/** A state of a client in Redis, as far as its key shows it. */
export interface StoredKey extends StateName {
  /** As the store names it: without what the client of Redis adds. */
  readonly key: string;
  /** Milliseconds until the state is worthless at the latest. -1 without an end, undefined if the user may not ask. */
  readonly ttl: number | undefined;
}

/** Most of the time of Redis that a search takes, in percent. */
const RATE = 50;

/**
 * Finds all states of a client by one scan of each primary, also of tiers that the configuration does not have, and of all
 * partitions.
 */
export function findStoredKeys(
  source: RedisSource,
  identity: Key | IdentityDigest,
  signal: AbortSignal,
): Promise<readonly StoredKey[]> {
  const { limiters } = source;
  const digestsOf = (prefix: string) =>
    identity instanceof IdentityDigest
      ? [identity.digest]
      : // Limiters with different secrets have different digests of one identity.
        limiters.filter((each) => each.prefix === prefix).map((each) => each.digestOf(identity));
  const digests = new Map(limiters.map(({ prefix }) => [prefix, digestsOf(prefix)]));
  const [only, ...more] = new Set([...digests.values()].flat());
  return search(source, {
    part: more.length === 0 ? only : undefined,
    accepts: ({ prefix, digest }) => digests.get(prefix)!.includes(digest),
    signal,
  });
}

/**
 * The whole digest of which an operator has the beginning.
 *
 * @returns undefined if no key has such a digest
 * @throws Failure for the beginning of several
 */
export async function wholeDigest(
  source: RedisSource,
  { digest: start }: IdentityDigest,
  signal: AbortSignal,
): Promise<IdentityDigest | undefined> {
  const found = await search(source, { part: start, accepts: ({ digest }) => digest.startsWith(start), signal });
  const [digest, ...more] = new Set(found.map((each) => each.digest));
  if (more.length > 0) throw usage(`digest ${start}: this is the beginning of ${[digest, ...more].join(', ')}`);
  return digest === undefined ? undefined : new IdentityDigest(digest);
}

interface Search {
  /** Of the digest, if all keys have the same. Its letters have no meaning in patterns. */
  readonly part: string | undefined;
  /** @param name its prefix is that of a limiter */
  readonly accepts: (name: StateName) => boolean;
  readonly signal: AbortSignal;
}

async function search(source: RedisSource, { part, accepts, signal }: Search): Promise<readonly StoredKey[]> {
  const prefixes = [...new Set(source.limiters.map(({ prefix }) => prefix))];
  const keyPrefix = keyPrefixOf(source);
  const table = keyTable(prefixes);
  const nameOf = (key: string): StateName | undefined => {
    const name = key.startsWith(keyPrefix) ? table.find(key.slice(keyPrefix.length)) : undefined;
    return name !== undefined && isState(name) && accepts(name) ? name : undefined;
  };
  const options = {
    pattern: part === undefined ? undefined : `*${part}*`,
    accepts: (key: string) => nameOf(key) !== undefined,
    rate: RATE,
    signal,
  };
  // A scan may find a key twice.
  const states = new Map<string, StoredKey>();
  for (const redis of source.primaries()) {
    for await (const found of scan(redis, options)) {
      for (const { key, ttl } of found) {
        states.set(key, { ...nameOf(key)!, key: key.slice(keyPrefix.length), ttl });
      }
    }
  }
  return [...states.values()];
}
