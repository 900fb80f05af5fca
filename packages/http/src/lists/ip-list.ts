import {
  ANY,
  DEFAULT_PREFIX,
  type Duration,
  type ListStore,
  type OptionRows,
  readOptions,
  type Store,
} from '@sluice/core/internal';
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

const REFRESH = { range: '100 ms to 1 h', min: 1e5, max: 3.6e9, example: "5000 or '5s'" };

export const LIST_ROWS = {
  name: { is: /^[\w.-]{1,64}$/, words: '1 to 64 of a-z, A-Z, 0-9, _, - and .', required: true },
  store: {
    is: (store) => typeof (store as Partial<ListStore> | null)?.readList === 'function',
    words: 'a redisStore, which shares the list, or left out for a list of this process',
  },
  seed: ANY,
  refresh: { milliseconds: REFRESH, otherwise: '5s' },
  mode: { oneOf: ['enforce', 'shadow'], otherwise: 'enforce' },
  onStoreFailure: { oneOf: ['allow', 'deny'], otherwise: 'allow' },
  prefix: { is: 'string', words: 'a string', otherwise: DEFAULT_PREFIX },
} as const satisfies OptionRows;

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
  const { name, mode, onStoreFailure, refresh, prefix } = readOptions('ipList', options, LIST_ROWS);
  return new RefreshedList({
    name: name as string,
    seed: networksOption(`ipList "${name as string}"`, 'seed', options.seed ?? []),
    mode,
    onStoreFailure,
    interval: refresh,
    store: options.store as ListStore | undefined,
    key: `${prefix as string}:{${name as string}}:list`,
  });
}
