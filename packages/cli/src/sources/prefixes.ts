import type { RedisSource } from './redis-source.js';

/** The beginning of the keys of limiters without a configuration. */
const PREFIX_VARIABLE = 'SLUICE_PREFIX';

const DEFAULT_PREFIX = 'rl';

/** The beginnings of keys: of the limiters of the configuration, else SLUICE_PREFIX, else `rl`. */
export function prefixesOf({ limiters }: RedisSource): readonly string[] {
  const configured = limiters.map(({ prefix }) => prefix);
  return configured.length > 0 ? [...new Set(configured)] : [process.env[PREFIX_VARIABLE] || DEFAULT_PREFIX];
}
