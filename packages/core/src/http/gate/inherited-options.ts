/** Options of a limiter that others of the same application can have as well, for they say nothing of its tiers. */
const OF_LIMITERS = ['store', 'prefix', 'secret', 'partition', 'onStoreFailure', 'share', 'denyCache'] as const;

/** Options of a gate that others of the same application can have as well. */
const OF_GATES = ['headers', 'body', 'onDenied'] as const;

/** Names of the options that a gate has from what stands above it, where it does not say itself. */
export const INHERITED_OPTIONS = [...OF_LIMITERS, ...OF_GATES] as const;

/**
 * Options of a gate, with those of what stands above it where it does not say itself. A limiter that is shared has a
 * store and the like of its own.
 */
export function inheritOptions<O extends object>(options: O, above: Readonly<Record<string, unknown>>): O {
  const names = 'limiter' in options && options.limiter !== undefined ? OF_GATES : INHERITED_OPTIONS;
  const inherited = names.filter((name) => above[name] !== undefined).map((name) => [name, above[name]] as const);
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...inherited, ...said]) as O;
}
