import { createHash } from 'node:crypto';

/** A script that Redis runs. Its commands are among the rights of a limiter: docs/guide/redis.md. */
export interface RedisScript {
  readonly source: string;
  /** The SHA-1 of the source, by which Redis caches it. */
  readonly sha: string;
}

export function redisScript(text: string): RedisScript {
  const source = text.trim();
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}
