import type { Redis } from 'ioredis';

/** Stands in every identity that tests make up, so that it can be told where it must not be. */
export const MARK = 'mallory';

/** What means something to an object of JavaScript, or to Redis, and stands in nothing that is ours. */
export const TRICKY = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'rl:{x}:hostile'];

const SHAPE = /^rl:\{[A-Za-z0-9_-]{22}\}:hostile(?:-\d)?:[a-z]{2}[A-Za-z0-9_-]{3}$/;

/** What is wrong with the keys in Redis: a shape that is not the documented one, no end, an identity in it. */
export async function faultsIn(client: Redis): Promise<string[]> {
  const faults: string[] = [];
  for (const key of await client.keys('*')) {
    const value = (await client.type(key)) === 'list' ? await client.lrange(key, 0, -1) : await client.get(key);
    if (!SHAPE.test(key)) faults.push(`${key} has another shape`);
    if ((await client.pttl(key)) === -1) faults.push(`${key} stays for ever`);
    if (tells(`${key} ${String(value)}`)) faults.push(`${key} tells who somebody is: ${String(value)}`);
  }
  return faults;
}

/** Whether a text has an identity in it. */
export function tells(text: string): boolean {
  return [MARK, ...TRICKY].some((identity) => text.includes(identity));
}
