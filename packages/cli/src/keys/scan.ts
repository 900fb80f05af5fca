import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { FoundKey } from './tally.js';

/** Keys that a call looks at. */
const COUNT = 512;

export interface ScanOptions {
  /** Of the keys to find, for MATCH. @default all */
  readonly pattern?: string | undefined;
  /** True for the keys to find. */
  readonly accepts: (key: string) => boolean;
  /** Most of the time that a server spends on it, in percent. */
  readonly rate: number;
  readonly signal: AbortSignal;
  /** Milliseconds. @default performance.now */
  readonly clock?: () => number;
}

/** Keys of a server with their types and times to live, with pauses. A key may be found twice. */
export async function* scan(redis: Redis, options: ScanOptions): AsyncGenerator<readonly FoundKey[]> {
  const { pattern, accepts, rate, signal, clock = () => performance.now() } = options;
  const match = pattern === undefined ? [] : ['MATCH', pattern];
  let cursor = '0';
  do {
    const startedAt = clock();
    const [next, names] = await readPage(redis, cursor, match);
    const ours = names.map((name) => ({ name, key: name.toString() })).filter(({ key }) => accepts(key));
    const found = await examine(redis, ours);
    // The round trip counts as well, so that Redis spends less.
    const spent = clock() - startedAt;
    cursor = next;
    yield found;
    if (cursor !== '0') await delay(spent * (100 / rate - 1), undefined, { signal });
  } while (cursor !== '0');
}

/** The pattern of all keys under a prefix. */
export function patternOf(prefix: string): string {
  return `${prefix.replaceAll(/[*?[\]\\]/g, String.raw`\$&`)}:*`;
}

async function readPage(redis: Redis, cursor: string, match: readonly string[]): Promise<[string, Buffer[]]> {
  const [next, names] = (await redis.callBuffer('SCAN', cursor, ...match, 'COUNT', COUNT)) as [Buffer, Buffer[]];
  return [next.toString(), names];
}

async function examine(redis: Redis, keys: readonly Pick<FoundKey, 'name' | 'key'>[]): Promise<readonly FoundKey[]> {
  if (keys.length === 0) return [];
  const replies = await ask(
    redis,
    keys.flatMap(({ name }) => [
      ['pttl', ownName(redis, name)],
      ['type', ownName(redis, name)],
    ]),
  );
  return keys.flatMap((each, index) => {
    const ttl = replies[2 * index] as number | undefined;
    const type = replies[2 * index + 1] as string | undefined;
    // It has expired since.
    return ttl === -2 || type === 'none' ? [] : [{ redis, ...each, ttl, type }];
  });
}

/** Replies to commands in one round trip. Undefined for those that the user may not run. */
export async function ask(
  redis: Redis,
  commands: readonly (readonly (string | Buffer)[])[],
): Promise<readonly unknown[]> {
  const replies = (await redis.pipeline(commands.map((each) => [...each])).exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error === null) return reply;
    if (error.message.startsWith('NOPERM')) return undefined;
    throw error;
  });
}

/** A key without the beginning that the client adds to every key. */
export function ownName(redis: Redis, name: Buffer): Buffer {
  return name.subarray(Buffer.byteLength(redis.options.keyPrefix ?? ''));
}
