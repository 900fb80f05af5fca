import type { Fleet } from '../fleet.js';
import { Hash, type Value } from '../redis/keyspace.js';
import type { SimServer } from '../redis/sim-server.js';

/** What Redis has counted for a client. */
export interface StoredQuota {
  /** Units of the month. */
  readonly used: number;
  /** Units of its usage, in all hours. */
  readonly usage: number;
  /** Usage of the credits. */
  readonly spent: number;
  /** Credits that are left. */
  readonly left: number;
}

interface StoredKey {
  readonly server: SimServer;
  readonly key: string;
}

/** @param digest of the client */
export function readQuota(fleet: Fleet, digest: string): StoredQuota {
  const quota = { used: 0, usage: 0, spent: 0, left: 0 };
  for (const { server, key } of storedKeys(fleet)) {
    if (!key.includes(`{${digest}}`)) continue;
    const isCredits = key.includes(':credits:');
    const value = server.keyspace.get(key);
    if (key.endsWith(':usage')) {
      const units = [...hoursAt(server, key).values()].reduce((sum, each) => sum + each, 0);
      quota[isCredits ? 'spent' : 'usage'] += units;
    } else if (isCredits) quota.left += leftOf(value);
    // Behind a count that is below a mark which was reported is that mark.
    else if (key.includes(':month:')) quota.used += Number.parseInt(String(value)) % 2 ** 32;
  }
  return quota;
}

/** The keys of usage, on all servers. */
export function usageKeys(fleet: Fleet): readonly StoredKey[] {
  return storedKeys(fleet).filter(({ key }) => key.endsWith(':usage'));
}

/** Units by the hour, exported or not. */
export function hoursAt(server: SimServer, key: string): ReadonlyMap<number, number> {
  const hours = new Map<number, number>();
  const fields = server.keyspace.get(key);
  if (!(fields instanceof Hash)) return hours;
  for (const [field, units] of fields) {
    const hour = Number(field.replace('x', ''));
    hours.set(hour, (hours.get(hour) ?? 0) + Number(units));
  }
  return hours;
}

function leftOf(account: Value | undefined): number {
  return account instanceof Hash ? Number(account.get('left') ?? 0) : 0;
}

function storedKeys(fleet: Fleet): readonly StoredKey[] {
  return fleet.servers.flatMap((server) => {
    server.keyspace.now = server.time() / 1e3;
    return server.keyspace.keys().map((key) => ({ server, key }));
  });
}
