import { Redis } from 'ioredis';
import { TIER } from './limiters.js';

/** The hits of traffic that servers have counted, read from their counters past the store. */
export async function hitsOn(ports: readonly number[]): Promise<number> {
  const hits = await Promise.all(ports.map(hitsAt));
  return hits.reduce((sum, each) => sum + each, 0);
}

async function hitsAt(port: number): Promise<number> {
  const client = new Redis(port);
  // What else may lie there is no counter.
  const keys = await client.keys(`rl:*:${TIER}*`);
  const counters = await Promise.all(keys.map((key) => client.get(key).catch(() => null)));
  client.disconnect();
  return counters.reduce((sum, each) => sum + unitsIn(each), 0);
}

/** The units that a fixed window has counted, of what Redis keeps: the upper bits say when it ends. */
export function unitsIn(value: string | null): number {
  return Number(value) % 2 ** 32;
}
