import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { FoundKey } from './tally.js';

/** Keys that a call looks at. */
const COUNT = 512;

export interface ScanOptions {
  /** Beginnings of keys, as they are in Redis. */
  readonly prefixes: readonly string[];
  /** Most of the time that a server spends on it, in percent. */
  readonly rate: number;
  readonly signal: AbortSignal;
}

/** The keys of a server with their types and times to live, with pauses. A key may be found twice. */
export async function* scan(redis: Redis, options: ScanOptions): AsyncGenerator<readonly FoundKey[]> {
  const { prefixes, rate, signal } = options;
  const [first] = prefixes;
  // Several prefixes are separated here, because each pattern would need a scan of its own.
  const pattern = prefixes.length === 1 ? ['MATCH', `${escaped(first!)}:*`] : [];
  let cursor = '0';
  do {
    const startedAt = performance.now();
    const [next, keys] = await readPage(redis, cursor, pattern);
    const ours = keys.filter((key) => prefixes.some((prefix) => key.startsWith(`${prefix}:`)));
    const found = await examine(redis, ours);
    // The round trip counts as well, so that Redis spends less.
    const spent = performance.now() - startedAt;
    cursor = next;
    yield found;
    if (cursor !== '0') await delay(spent * (100 / rate - 1), undefined, { signal });
  } while (cursor !== '0');
}

async function readPage(redis: Redis, cursor: string, pattern: readonly string[]): Promise<[string, string[]]> {
  return (await redis.call('SCAN', cursor, ...pattern, 'COUNT', COUNT)) as [string, string[]];
}

async function examine(redis: Redis, keys: readonly string[]): Promise<readonly FoundKey[]> {
  if (keys.length === 0) return [];
  const replies = await ask(
    redis,
    keys.flatMap((key) => [
      ['pttl', ownName(redis, key)],
      ['type', ownName(redis, key)],
    ]),
  );
  return keys.flatMap((key, index) => {
    const ttl = replies[2 * index] as number | undefined;
    const type = replies[2 * index + 1] as string | undefined;
    // It has expired since.
    return ttl === -2 || type === 'none' ? [] : [{ redis, key, ttl, type }];
  });
}

/** Replies to commands in one round trip. Undefined for those that the user may not run. */
export async function ask(redis: Redis, commands: readonly (readonly string[])[]): Promise<readonly unknown[]> {
  const replies = (await redis.pipeline(commands.map((each) => [...each])).exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error === null) return reply;
    if (error.message.startsWith('NOPERM')) return undefined;
    throw error;
  });
}

/** A key without the beginning that the client adds to every key by itself. */
export function ownName(redis: Redis, key: string): string {
  return key.slice((redis.options.keyPrefix ?? '').length);
}

/** A text in a pattern that means itself. */
function escaped(text: string): string {
  return text.replaceAll(/[*?[\]\\]/g, String.raw`\$&`);
}
