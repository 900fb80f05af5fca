/**
 * The few methods of a client that the store calls. An ioredis client has them: single, Sentinel or Cluster. Nothing is
 * added to it.
 */
export interface RedisClient {
  /** Runs a script by its SHA-1. */
  evalsha(sha: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** Runs a script by its text. */
  eval(source: string, numberOfKeys: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  /** True for a client of a Cluster, where all keys of a call must lie in one slot. */
  readonly isCluster?: boolean;
}

export interface Script {
  readonly source: string;
  readonly sha: string;
}

/** Runs a script by its SHA-1, and once by its text where the server does not have it. */
export async function runScript(
  client: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    // A server that was restarted, flushed or failed over to has no scripts. Nothing ran, so this cannot count twice.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return client.eval(script.source, keys.length, ...keys, ...args);
  }
}
