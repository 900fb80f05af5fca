import { isSluiceError, limitersOf, type LimiterView } from '@sluice/core';
import { unreachable, usage } from '../failure.js';
import { loadConfig } from '../sources/config-file.js';
import { openRedis, type RedisSource } from '../sources/redis-source.js';

interface LimitersOptions {
  readonly config?: string;
  readonly timeout: number;
}

/**
 * Runs with the limiters of the configuration, on their Redis.
 *
 * @throws Failure without a configuration: a limit is in no store
 */
export async function withLimiters<T>(
  options: LimitersOptions,
  run: (limiters: readonly LimiterView[]) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(options.config);
  if (config === undefined) {
    throw usage(
      'the limits are in your code: write a sluice.config.js that exports the store of the limiters, or pass --config',
    );
  }
  // At once, because a limiter without a reference is collected.
  const limiters = limitersOf(config.store);
  if (limiters.length === 0)
    throw usage('the configuration creates no limiter on its store: import the module that does');
  const source: RedisSource = await openRedis(options);
  try {
    return await run(limiters);
  } catch (error) {
    if (!isSluiceError(error) || error.code !== 'STORE_UNAVAILABLE') throw error;
    throw unreachable(`${error.message} (deadline of the store in the configuration: ${source.deadline} ms)`);
  } finally {
    await source.close();
  }
}
