import type { Fleet } from '../fleet.js';
import { Hash, type Keyspace, type Value } from '../redis/keyspace.js';
import type { SimServer } from '../redis/sim-server.js';

/** What Redis has counted for a client. */
export interface StoredQuota {
  /** Units of the month that it is. */
  readonly used: number;
  /** Units of its usage, by the hour since 1970. */
  readonly usage: ReadonlyMap<number, number>;
  /** Usage of the credits. */
  readonly spent: number;
  /** Credits that a request can spend. */
  readonly left: number;
  /** Credits that are not spent: with those that have ended, and that came back to a grant which had ended. */
  readonly unspent: number;
  /** When the month ends, in milliseconds since 1970. */
  readonly endsAt: number;
  readonly grants: readonly StoredGrant[];
}

export interface StoredGrant {
  readonly number: number;
  /** Milliseconds since 1970; 0: never. */
  readonly ends: number;
  readonly left: number;
}

interface StoredKey {
  readonly server: SimServer;
  readonly key: string;
}

/** @param keyspaces of all servers. @param digest of the client */
export function readQuota(keyspaces: readonly Keyspace[], digest: string): StoredQuota {
  const quota = { used: 0, usage: new Map<number, number>(), spent: 0, left: 0, unspent: 0, endsAt: 0 };
  const grants: StoredGrant[] = [];
  for (const keyspace of keyspaces) {
    for (const key of keyspace.keys()) {
      if (!key.includes(digest)) continue;
      const isCredits = key.includes(':credits:');
      const value = keyspace.get(key);
      if (isUsage(key)) {
        for (const [hour, { open, exported }] of hoursAt(keyspace, key)) {
          if (isCredits) quota.spent += open + exported;
          else quota.usage.set(hour, (quota.usage.get(hour) ?? 0) + open + exported);
        }
      } else if (isCredits) {
        const own = grantsOf(value);
        grants.push(...own);
        quota.left += leftOf(own, keyspace.now);
        quota.unspent += leftOf(own, 0) + endedOf(value);
      } else if (key.includes(':month:')) {
        // Behind a count that is below a mark which was reported is that mark.
        quota.used += Number.parseInt(value as string) % 2 ** 32;
        quota.endsAt = keyspace.expiresAt(key)!;
      }
    }
  }
  return { ...quota, grants };
}

/** What all servers hold now. @param left by a server that loses data */
export function keyspacesOf({ servers }: Fleet, left?: ReadonlyMap<SimServer, Keyspace>): readonly Keyspace[] {
  return servers.map((server) => {
    const keyspace = left?.get(server) ?? server.keyspace;
    keyspace.now = server.time() / 1e3;
    return keyspace;
  });
}

/** The keys of usage, on all servers. A replica that takes over may have keys again whose slot has moved: nobody reaches them. */
export function usageKeys(fleet: Fleet): readonly StoredKey[] {
  const keyspaces = keyspacesOf(fleet);
  return fleet.servers.flatMap((server, place) =>
    keyspaces[place]!.keys()
      .filter((key) => isUsage(key) && server.owns(key))
      .map((key) => ({ server, key })),
  );
}

export function isUsage(key: string): boolean {
  return key.endsWith(':used');
}

/** Units of an hour. */
export interface StoredUnits {
  /** That no export has. */
  readonly open: number;
  readonly exported: number;
}

export function hoursAt(keyspace: Keyspace, key: string): ReadonlyMap<number, StoredUnits> {
  const hours = new Map<number, StoredUnits>();
  const fields = keyspace.get(key);
  if (!(fields instanceof Hash)) return hours;
  for (const [field, units] of fields) {
    if (field === 'label') continue;
    const hour = Number(field.replace('x', ''));
    const { open, exported } = hours.get(hour) ?? { open: 0, exported: 0 };
    const isExported = field.startsWith('x');
    hours.set(hour, isExported ? { open, exported: Number(units) } : { open: Number(units), exported });
  }
  return hours;
}

function grantsOf(account: Value | undefined): readonly StoredGrant[] {
  const numbers = account instanceof Hash ? (account.get('left') ?? '0').split(',').map(Number) : [0];
  if (numbers.length === 1) return [{ number: 0, ends: 0, left: numbers[0]! }];
  const grants: StoredGrant[] = [];
  // Three numbers of the balance, then of each grant its number, its order, its end and its units.
  for (let at = 3; at < numbers.length; at += 4) {
    grants.push({ number: numbers[at]!, ends: numbers[at + 2]!, left: numbers[at + 3]! });
  }
  return grants;
}

/** @param now milliseconds, at which some units have ended */
function leftOf(grants: readonly StoredGrant[], now: number): number {
  return grants.reduce((sum, each) => (each.ends === 0 || each.ends > now ? sum + each.left : sum), 0);
}

/** Units of postings that say that units have ended, or came back after that. */
function endedOf(account: Value | undefined): number {
  if (!(account instanceof Hash)) return 0;
  let sum = 0;
  for (const [field, text] of account) {
    const [kind, , units] = /^p\d+$/.test(field) ? text.split(',') : [];
    if (kind === '3' || kind === '4') sum -= Number(units);
  }
  return sum;
}
