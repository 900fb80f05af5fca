import { DEFAULT_PREFIX, type Duration, type ListStore, OptionReader, type Store } from '@sluice/core/internal';
import type { IpList } from '../networks/ip-list-interface.js';
import { networksOption } from '../networks/networks-option.js';
import { RefreshedList } from './refreshed-list.js';

export interface IpListOptions {
  /** Names the list in Redis and in events: 1 to 64 of `a-z`, `A-Z`, `0-9`, `_`, `-` and `.`. */
  name: string;
  /**
   * A Redis store, which shares the list among all processes. A list of its own does not survive its process.
   *
   * @default none
   */
  store?: Store;
  /**
   * Networks that are always on the list, also while Redis is away or has lost its data.
   *
   * @example ['203.0.113.0/24', '2001:db8::/32']
   */
  seed?: readonly string[];
  /**
   * How often a process asks for changes, give or take a fifth: 100 ms to 1 h. A change is in force everywhere after that.
   * A refresh that fails is repeated after 6 s at most.
   *
   * @default '5s'
   */
  refresh?: Duration;
  /**
   * `'shadow'` publishes each match and denies nothing: it tries a list before it is enforced.
   *
   * @default 'enforce'
   */
  mode?: 'enforce' | 'shadow';
  /**
   * What a gate does while the list has never been loaded. `'allow'`: the list has its `seed` alone. `'deny'`: requests
   * that `seed` does not decide get 503 with Retry-After. A list that was loaded once keeps its last state instead.
   *
   * @default 'allow'
   */
  onStoreFailure?: 'allow' | 'deny';
  /** The prefix of its key in Redis. @default 'rl' */
  prefix?: string;
}

const OPTIONS = ['name', 'store', 'seed', 'refresh', 'mode', 'onStoreFailure', 'prefix'];
const REFRESH = { range: '100 ms to 1 h', min: 1e5, max: 3.6e9, example: "5000 or '5s'" };

/**
 * Creates a list of IP addresses and networks, for the options `allow` and `deny` of a gate. With a Redis store all
 * processes share it, and it changes while they run. A look-up takes no call. The first requests wait for its first load.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example
 * const blocked = ipList({ name: 'blocked', store: redisStore({ url }) });
 * app.use(rateLimit({ limit: 100, window: '1m', deny: blocked, allow: ['10.0.0.0/8'] }));
 * await blocked.add('198.51.100.7', { for: '1h' });
 */
export function ipList(options: IpListOptions): IpList {
  const given = Object(options) as IpListOptions;
  const reader = new OptionReader('ipList', given, OPTIONS);
  const { name, seed = [], store, prefix = DEFAULT_PREFIX } = given;
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)) {
    throw reader.fail('OPTION_INVALID', 'name', 'must be 1 to 64 of a-z, A-Z, 0-9, _, - and .');
  }
  if (store !== undefined && typeof (store as Partial<ListStore>).readList !== 'function') {
    const rule = 'must be a redisStore, which shares the list, or left out for a list of this process';
    throw reader.fail('OPTION_INVALID', 'store', rule);
  }
  if (typeof prefix !== 'string') throw reader.fail('OPTION_INVALID', 'prefix', 'must be a string');
  return new RefreshedList({
    name,
    seed: networksOption(`ipList "${name}"`, 'seed', seed),
    mode: reader.choice('mode', ['enforce', 'shadow'], 'enforce'),
    onStoreFailure: reader.choice('onStoreFailure', ['allow', 'deny'], 'allow'),
    interval: reader.milliseconds('refresh', '5s', REFRESH),
    store: store as ListStore | undefined,
    key: `${prefix}:{${name}}:list`,
  });
}
