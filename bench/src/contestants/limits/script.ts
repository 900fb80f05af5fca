import type { Redis } from 'ioredis';

/** The SHA-1 of a script that Redis has loaded. */
export async function load(client: Redis, lua: string): Promise<string> {
  return String(await client.script('LOAD', lua));
}
