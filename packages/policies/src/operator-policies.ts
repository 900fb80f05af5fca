import type { Store } from '@sluice/core';
import { readOptions, type OptionRows, type SharedLimiterOptions } from '@sluice/http/adapter';
import { readDocument, type PolicyDocument } from './document/read-document.js';
import { FILE_FEATURES } from './file-features.js';
import { WatchedFile } from './file/watched-file.js';
import { redisPolicies } from './fleet/redis-policies.js';
import { LivePolicies } from './live-policies.js';
import type { Policies } from './policies.js';

export interface OperatorPoliciesOptions {
  /** A `redisStore` on the Redis of the limiters. */
  readonly store: Store;
  /** The name of the policies in Redis. @default 'limits' */
  readonly name?: string;
  /** The `secret` of the limiters. @default none */
  readonly secret?: string;
  /** The `prefix` of the limiters. @default 'rl' */
  readonly prefix?: string;
  /** The names of limiters with `partition`. @default none */
  readonly partitioned?: readonly string[];
}

export const OPERATOR_ROWS = {
  store: { is: (store) => typeof store === 'object' && store !== null, words: 'a redisStore', required: true },
  name: { is: /^[\w.-]{1,64}$/, words: '1 to 64 of a-z, A-Z, 0-9, _, - and .' },
  secret: { is: (secret) => typeof secret === 'string' && secret !== '', words: 'the secret of the limiters' },
  prefix: { is: /./s, words: 'the prefix of the limiters' },
  partitioned: {
    is: (names) => Array.isArray(names) && names.every((name) => typeof name === 'string'),
    words: "an array of names of limiters, such as ['api']",
  },
} as const satisfies OptionRows;

/**
 * The limits of a file and of Redis for a process that decides no request, such as a support desk: all limiters of the file are on
 * the store, where `createDashboard` finds them, and none of the functions of the application is needed. They change with the file
 * and with what is applied.
 *
 * @throws ConfigError, as a rejection, for a file that is refused
 * @example
 * const policies = await operatorPolicies('limits.yaml', { store });
 * const dashboard = createDashboard({ store, overrides: policies.overrides, tokens });
 */
export async function operatorPolicies(
  file: string,
  options: OperatorPoliciesOptions,
): Promise<Omit<Policies<never>, 'limiter'>> {
  readOptions('operatorPolicies', Object(options) as object, OPERATOR_ROWS);
  const { store, name = 'limits', secret, prefix, partitioned = [] } = options;
  const watched = new WatchedFile(file);
  const context = { keys: {}, plans: undefined, features: FILE_FEATURES, takesAnyName: true };
  const read = (source: string, text: string): PolicyDocument<never> => readDocument<never>(source, text, context);
  const limiterOptions = (limiter: string): SharedLimiterOptions<never> => ({
    store,
    ...(prefix !== undefined && { prefix }),
    ...(partitioned.includes(limiter) && { partition: () => 'none' }),
  });
  const document = read(file, await watched.read());
  return new LivePolicies<never>({
    watched,
    read,
    document,
    fleet: redisPolicies(store, { name }),
    ...(secret !== undefined && { secret }),
    limiterOptions,
  }).start();
}
