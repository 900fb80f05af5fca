import { createLimiter, memoryStore } from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { collectMetrics } from '@sluice/metrics';
import { exportUsage, usage } from '@sluice/quotas';
import type { Door, Mistake } from '../door.js';

const clock = 'clock must return milliseconds since 1970 and returned';

const memory: Door = {
  name: 'memoryStore',
  owner: 'memoryStore: ',
  make: memoryStore,
  mistakes: [
    ['OPTION_INVALID', 'maxKeys', 'must be an integer from 16 to 16777216, got 15', { maxKeys: 15 }],
    ['OPTION_INVALID', 'maxKeys', 'got 99.5', { maxKeys: 99.5 }],
    ['OPTION_INVALID', 'clock', 'clock must be a function, got 5', { clock: 5 }],
    ['OPTION_INVALID', 'clock', `${clock} NaN`, { clock: () => Number.NaN }],
    ['OPTION_INVALID', 'clock', `${clock} Infinity`, { clock: () => Number.POSITIVE_INFINITY }],
    ['OPTION_INVALID', 'clock', `${clock} undefined`, { clock: () => undefined }],
    ['OPTION_INVALID', 'clock', `${clock} an object`, { clock: () => new Date() }],
    ['OPTION_INVALID', 'clock', clock, { clock: () => Date.now() * 1e6 }],
    ['OPTION_UNKNOWN', 'maxkeys', 'did you mean maxKeys?', { maxkeys: 100 }],
  ],
};

const network = "must be an address or a network, such as '203.0.113.7' or '203.0.113.0/24'";

const list: Door = {
  name: 'ipList',
  owner: 'ipList',
  make: (wrong: object) => ipList({ name: 'x', ...wrong }),
  mistakes: [
    ['OPTION_INVALID', 'name', 'must be 1 to 64 of a-z, A-Z, 0-9, _, - and ., got "a b"', { name: 'a b' }],
    ['OPTION_INVALID', 'seed', '"x": seed must be an array of addresses and networks, got', { seed: '10.0.0.0/8' }],
    [
      'OPTION_INVALID',
      'seed[1]',
      `"x": seed[1] ${network}: 10.0.0.1/8 has bits behind its prefix, write 10.0.0.0/8, got "10.0.0.1/8"`,
      { seed: ['10.0.0.0/8', '10.0.0.1/8'] },
    ],
    [
      'OPTION_INVALID',
      'store',
      'must be a redisStore, which shares the list, or left out for a list of this process, got an object',
      { store: memoryStore() },
    ],
    ['OPTION_INVALID', 'refresh', 'must be a duration from 100 ms to 1 h, such as 5000', { refresh: '1ms' }],
    ['OPTION_INVALID', 'onStoreFailure', 'one of "allow", "deny", got "local"', { onStoreFailure: 'local' }],
    ['OPTION_INVALID', 'mode', 'must be one of "enforce", "shadow", got "off"', { mode: 'off' }],
  ],
};

const limiter = createLimiter({ key: () => 'all', limit: 1, window: '1m' });
const byName = 'stores must be an object that holds stores by name: write { main: store }';
const policiesByName = 'policies must be an object that holds policies by name';

const metrics: Door = {
  name: 'collectMetrics',
  owner: 'collectMetrics: ',
  make: collectMetrics,
  mistakes: [
    ['OPTION_INVALID', 'near', 'near must be a number from 0 to 1', { near: 80 }],
    ['OPTION_INVALID', 'top', 'top', { top: 101 }],
    ['OPTION_INVALID', 'policies', policiesByName, { policies: { status: () => 1 } }],
    ['OPTION_INVALID', 'policies', policiesByName, { policies: null }],
    ['OPTION_INVALID', 'watch', 'must be an array of at most 50 identities', { watch: 'ada' }],
    ['OPTION_UNKNOWN', 'store', 'stores', { store: memoryStore() }],
    [
      'OPTION_INVALID',
      'stores',
      'must hold a store at main: write { main: redisStore(client) }',
      { stores: { main: {} } },
    ],
    [
      'OPTION_INVALID',
      'stores',
      'must hold a store at main, not a limiter: write createLimiter({ store, … })',
      { stores: { main: limiter } },
    ],
    ['OPTION_INVALID', 'stores', byName, { stores: memoryStore() }],
    ['OPTION_INVALID', 'stores', byName, { stores: limiter }],
    ['OPTION_INVALID', 'stores', `${byName}, got null`, { stores: null }],
    watched('watch[0].limiter', 'must be a limiter', { name: 'one', limiter: {}, identity: 'a' }),
    watched('watch[0].name', 'must be its name in metrics', { name: 1 }),
    watched(
      'watch[1].name',
      'differ from the other names',
      { name: 'a', limiter: { of() {} } },
      { name: 'a', limiter: { of() {} } },
    ),
  ],
};

const sink = () => undefined;
const names = 'must be names of tiers with usage';

const exports: Door = {
  name: 'exportUsage',
  owner: 'exportUsage: ',
  make: ({ store = counting(), ...wrong }: { readonly store?: never }) => exportUsage(store, wrong as never),
  mistakes: [
    ['OPTION_INVALID', 'sink', 'sink is missing: it must be a function of rows', {}],
    ['OPTION_INVALID', 'store', 'must be memoryStore() or redisStore(…)', { store: {}, sink }],
    ['OPTION_INVALID', 'every', 'must be a duration from 1 s to 1 day', { sink, every: '10ms' }],
    ['OPTION_INVALID', 'tiers', names, { sink, tiers: ['hour'] }],
    ['OPTION_INVALID', 'tiers', names, { sink, tiers: 'day' }],
    ['OPTION_INVALID', 'tiers', names, { sink, tiers: [] }],
    ['OPTION_UNKNOWN', 'batch', 'batch is not an option here', { sink, batch: 3 }],
  ],
};

export const stores: readonly Door[] = [memory, list, metrics, exports];

function watched(option: string, words: string, ...watch: readonly object[]): Mistake {
  return ['OPTION_INVALID', option, words, { watch }];
}

/** A store that counts the usage of one of its two tiers. */
function counting(): never {
  const store = memoryStore();
  const tier = { key: () => 'all', limit: 9, window: '1h' } as const;
  createLimiter({
    store,
    tiers: [
      { ...tier, name: 'day', usage: usage() },
      { ...tier, name: 'hour' },
    ],
  });
  return store as never;
}
