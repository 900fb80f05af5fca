import type { Cluster } from 'ioredis';
import { shell } from '../../terminal/shell.js';
import { fine, problem, warning, type Finding } from './finding.js';
import type { Server } from './server.js';

const SLOTS = 16_384;
/** Keys below which their spread says nothing. */
const FEW_KEYS = 1_000;
const SKEWED = 2;

/** Whether every primary answers that has slots. */
export function checkPrimaries(servers: readonly Server[], { slots }: Cluster): Finding[] {
  const reached = new Set(servers.map(nodeOf));
  const missing = [...new Set(slots.flatMap(([primary]) => primary ?? []))].filter((name) => !reached.has(name));
  const remedy = 'start it, or let a replica take its slots';
  return missing.map((name) => problem('primaries', `the primary ${name} does not answer`, remedy));
}

/** Whether every slot has a primary. */
export async function checkSlots(server: Server, primaries: number): Promise<Finding> {
  const info = String(await server.ask('CLUSTER', 'INFO'));
  const numberOf = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  const missing = SLOTS - numberOf('cluster_slots_assigned') + numberOf('cluster_slots_fail');
  if (missing === 0) return fine('slots', `all slots are served, by ${primaries} primaries`);
  return problem('slots', `${missing} of ${SLOTS} slots are not served`, shell`redis-cli --cluster fix ${server.name}`);
}

/** Whether one lost primary stops the others. */
export async function checkCoverage(server: Server): Promise<Finding> {
  const [, value] = (await server.ask('CONFIG', 'GET', 'cluster-require-full-coverage')) as [string, string];
  if (value === 'no') return fine('full-coverage', 'a lost primary stops its own slots only');
  const remedy = 'redis-cli CONFIG SET cluster-require-full-coverage no, on each node';
  return warning('full-coverage', 'one lost primary stops all slots, and every limit falls back', remedy);
}

/** Whether every primary has a replica. */
export function checkReplicas(servers: readonly Server[], { slots }: Cluster): Finding {
  const replicated = new Set(slots.filter((nodes) => nodes.length > 1).map(([primary]) => primary));
  const alone = servers.filter((server) => !replicated.has(nodeOf(server)));
  if (alone.length === 0) return fine('replicas', 'every primary has a replica');
  const names = alone.map(({ name }) => name).join(', ');
  return warning('replicas', `without a replica: ${names}`, 'redis-cli --cluster add-node NEW OLD --cluster-slave');
}

/** Whether each primary has about as many keys as the others. */
export async function checkSkew(servers: readonly Server[]): Promise<Finding> {
  const counts = await Promise.all(servers.map(({ redis }) => redis.dbsize()));
  const sum = counts.reduce((total, count) => total + count, 0);
  const text = `keys of the primaries: ${counts.join(', ')}`;
  if (sum < FEW_KEYS || Math.max(...counts) < (SKEWED * sum) / counts.length) return fine('skew', text);
  return warning('skew', text, 'choose partitions of which there are many, such as accounts and not regions');
}

/** The name of a node, as in the slots of its Cluster. */
function nodeOf({ redis: { options } }: Server): string {
  return `${options.host}:${options.port}`;
}
