import type { Fleet } from '../fleet.js';
import { Hash, type Keyspace, type Value } from '../redis/keyspace.js';
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
    if (isUsage(key)) {
      const hours = [...hoursAt(server.keyspace, key).values()];
      const units = hours.reduce((sum, { open, exported }) => sum + open + exported, 0);
      quota[isCredits ? 'spent' : 'usage'] += units;
    } else if (isCredits) quota.left += leftOf(value);
    // Behind a count that is below a mark which was reported is that mark.
    else if (key.includes(':month:')) quota.used += Number.parseInt(value as string) % 2 ** 32;
  }
  return quota;
}

/** The keys of usage, on all servers. */
export function usageKeys(fleet: Fleet): readonly StoredKey[] {
  return storedKeys(fleet).filter(({ key }) => isUsage(key));
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

function leftOf(account: Value | undefined): number {
  return account instanceof Hash ? Number(account.get('left') ?? 0) : 0;
}

function storedKeys(fleet: Fleet): readonly StoredKey[] {
  return fleet.servers.flatMap((server) => {
    server.keyspace.now = server.time() / 1e3;
    return server.keyspace.keys().map((key) => ({ server, key }));
  });
}
