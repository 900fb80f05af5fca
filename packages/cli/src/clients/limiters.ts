import { isSluiceError, type Store } from '@sluice/core';
import { found, unreachable, usage } from '../failure/failure.js';
import { loadConfig } from '../sources/config-file.js';
import { openRedis, type RedisSource } from '../sources/redis-source.js';

interface LimitersOptions {
  readonly config?: string;
  readonly timeout: number;
}

/** The Redis of a configuration. */
export type ConfiguredSource = RedisSource & { readonly store: Store };

/**
 * Runs with the Redis of the configuration, and its limiters.
 *
 * @throws Failure without a configuration: a limit is in no store
 */
export async function withLimiters<T>(
  options: LimitersOptions,
  run: (source: ConfiguredSource) => Promise<T>,
): Promise<T> {
  if ((await loadConfig(options.config, options.timeout)) === undefined) {
    throw usage(
      'this command needs your limiters, whose options decide the key of a client: write a sluice.config.js that exports their store, or pass --config',
    );
  }
  const source = (await openRedis(options)) as ConfiguredSource;
  try {
    if (source.limiters.length === 0) {
      throw usage('the configuration creates no limiter on its store: import the module that does');
    }
    return await run(source);
  } catch (error) {
    if (!isSluiceError(error)) throw error;
    const { code, message } = error;
    if (code === 'STORE_KEY_UNREADABLE') throw found(`${message}; sluice keys finds such keys`);
    if (code !== 'STORE_UNAVAILABLE') throw error;
    throw unreachable(`${message} (deadline of the store in the configuration: ${source.deadline} ms)`);
  } finally {
    await source.close();
  }
}
