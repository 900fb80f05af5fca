import { fine, problem, warning, type Finding } from './finding.js';
import type { Server } from './server.js';

const FULL = 0.95;
const NEARLY_FULL = 0.75;

/** Whether the server keeps the keys that it has, and has room for more. INFO needs no right beyond that of the limiter. */
export async function checkMemory(server: Server): Promise<Finding[]> {
  const [memory, stats, clients] = await Promise.all([
    server.info('memory'),
    server.info('stats'),
    server.info('clients'),
  ]);
  const limit = Number(memory.get('maxmemory'));
  return [
    policyOf(memory.get('maxmemory_policy') ?? 'unknown', limit),
    usageOf(Number(memory.get('used_memory')), limit),
    evictionsOf(Number(stats.get('evicted_keys'))),
    connectionsOf(Number(stats.get('rejected_connections')), clients),
  ];
}

function policyOf(policy: string, limit: number): Finding {
  const remedy = 'redis-cli CONFIG SET maxmemory-policy noeviction';
  if (policy === 'noeviction') return fine('eviction-policy', 'maxmemory-policy noeviction');
  const text = `maxmemory-policy ${policy}`;
  if (limit === 0)
    return warning('eviction-policy', `${text}: will forget denied clients once maxmemory is set`, remedy);
  return problem('eviction-policy', `${text}: forgets denied clients when memory is full`, remedy);
}

function usageOf(used: number, limit: number): Finding {
  if (limit === 0) {
    const remedy = 'redis-cli CONFIG SET maxmemory 600mb, which holds a million clients in two tiers';
    return warning('memory', `no maxmemory: a flood of keys takes the memory of the machine`, remedy);
  }
  const share = used / limit;
  const text = `memory ${(100 * share).toFixed(0)} % of maxmemory, ${megabytes(used)} of ${megabytes(limit)}`;
  const remedy = `redis-cli CONFIG SET maxmemory ${megabytes(2 * limit)}`;
  if (share > FULL) return problem('memory', `${text}: limiters soon fall back`, remedy);
  return share > NEARLY_FULL ? warning('memory', text, remedy) : fine('memory', text);
}

function evictionsOf(keys: number): Finding {
  if (keys === 0) return fine('evictions', 'no key was evicted');
  const text = `${keys} keys were evicted since the start: their clients had their full limit again`;
  return problem('evictions', text, 'cure the policy or the memory, then redis-cli CONFIG RESETSTAT');
}

function connectionsOf(rejected: number, clients: ReadonlyMap<string, string>): Finding {
  const [connected, most] = ['connected_clients', 'maxclients'].map((name) => Number(clients.get(name)));
  const text = `${connected} of ${most} connections`;
  const remedy = `redis-cli CONFIG SET maxclients ${2 * most!}`;
  if (rejected > 0)
    return warning('connections', `${rejected} connections were refused since the start; ${text}`, remedy);
  return connected! > NEARLY_FULL * most! ? warning('connections', text, remedy) : fine('connections', text);
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)}mb`;
}
