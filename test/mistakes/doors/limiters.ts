import { createLimiter, llmTiers, loginTiers, memoryStore, type LimiterOptions } from '@sluice/http';
import { balance, usage } from '@sluice/quotas';
import type { Door, Mistake } from '../door.js';

const tier = { key: () => 'ada', limit: 5, window: '1m' } as const;
const tiers = [{ ...tier, name: 'minute' }];
const month = { name: 'month', key: tier.key, algorithm: 'fixed-window', limit: 5, window: '1d' };
const credits = { name: 'credits', key: tier.key, algorithm: balance({ covers: ['month'] }) };
const lease = { units: 1, duration: '1s' };

const limiter: Door = {
  name: 'createLimiter',
  owner: '',
  make: createLimiter,
  mistakes: [
    ['OPTION_INVALID', 'options', 'options must be an object, got undefined', undefined],
    ['OPTION_INVALID', 'options', 'options must be an object, got null', null],
    ['OPTION_INVALID', 'store', 'must be a store, such as memoryStore()', { tiers, store: null }],
    ['OPTION_INVALID', 'store', 'or redisStore({ url }), got an object', { tiers, store: {} }],
    ['OPTION_INVALID', 'store', 'is closed: make the limiter before the store closes', { tiers, store: closed() }],
    ['OPTION_INVALID', 'partition', 'must be a function of the subject, got text', { tiers, partition: 'tenant' }],
    ['OPTION_INVALID', 'plans', 'belongs beside a function as tiers', { tiers, plans: [tiers] }],
    [
      'OPTION_INVALID',
      'plans',
      'must be an array of all arrays that tiers returns',
      { tiers: () => tiers, plans: { tiers } },
    ],
    ['OPTION_INVALID', 'prefix', 'must be 1 to 32 printable ASCII characters', { tiers, prefix: '' }],
    ['OPTION_INVALID', 'prefix', 'must be 1 to 32 printable ASCII characters', { tiers, prefix: 'x'.repeat(33) }],
    ['OPTION_INVALID', 'prefix', 'without braces and spaces, got "a{b}"', { tiers, prefix: 'a{b}' }],
    ['OPTION_INVALID', 'prefix', 'without braces and spaces, got "a b"', { tiers, prefix: 'a b' }],
    ['OPTION_INVALID', 'onStoreFailure', '"deny" (did you mean "allow"?), got', { tiers, onStoreFailure: 'open' }],
    ['OPTION_INVALID', 'onStoreFailure', 'did you mean "allow"?', { tiers, onStoreFailure: 'alow' }],
    ['OPTION_INVALID', 'share', 'must be a number above 0 and at most 1, such as 1 / 3', { tiers, share: 0 }],
    ['OPTION_INVALID', 'share', 'at most 1, such as 1 / 3, got 1.001', { tiers, share: 1.001 }],
    ['OPTION_INVALID', 'share', 'got "1/3"', { tiers, share: '1/3' }],
    ['OPTION_UNKNOWN', 'sotre', 'did you mean store?', { tiers, sotre: 5 }],
    ['OPTION_INVALID', 'limit', 'belongs to a tier: write it inside tiers, or leave tiers', { tiers, limit: 5 }],
    ['OPTION_UNKNOWN', 'sotre', 'did you mean store?', { ...tier, sotre: 5 }],
    ['OPTION_UNKNOWN', 'teirs', 'did you mean tiers?', { teirs: tiers }],
    ['LIMIT_INVALID', 'limit', 'tier "default" (sliding-window): limit must be at least', { ...tier, limit: 0 }],
    ['OPTION_UNKNOWN', 'keyGenerator', 'limiter: keyGenerator is called key here', { ...tier, keyGenerator: 5 }],
    ['OPTION_UNKNOWN', 'handler', 'limiter: handler is not an option here', { ...tier, handler: 5 }],
    ['TIERS_INVALID', 'tiers', 'must be an array of 1 to 32 tiers, got undefined', { tiers: undefined }],
    ['TIERS_INVALID', 'tiers', 'must be an array of 1 to 32 tiers, got an array of 0', { tiers: [] }],
    ['TIERS_INVALID', 'tiers', 'must be an array of 1 to 32 tiers, got an array of 33', { tiers: numbered(33) }],
    ['TIERS_INVALID', 'tiers', 'tiers must hold objects, got null', { tiers: [null] }],
    ['QUEUE_INVALID', 'queue', 'must stand in one tier at most', { tiers: [queue('one'), queue('two')] }],
    ['TIER_NAME_REQUIRED', 'name', 'tier: name must be given where a limiter has several', { tiers: [tier, tier] }],
    [
      'TIER_NAME_REQUIRED',
      'name',
      'tier: name must be given where tiers of other limiters can be in the same store',
      { ...tier, store: memoryStore() },
    ],
    ...[
      '',
      'x'.repeat(65),
      'a{b',
      'a}b',
      'a"b',
      'a\\b',
      '50%',
      '%41',
      'café',
      'tab\t',
      'del\u007F',
      'line\n',
      5,
      null,
    ].map((name): Mistake => [
      'TIER_NAME_INVALID',
      'name',
      'tier: name must be 1 to 64 printable ASCII characters without { } " \\ and %, got ',
      { tiers: [{ ...tier, name }] },
    ]),
  ],
};

const counted: Door = {
  name: 'a tier with usage',
  owner: 'tier "',
  make: (wrong: object) => createLimiter(of([{ ...tier, usage: usage(), ...wrong }])),
  mistakes: [
    [
      'TIER_NAME_INVALID',
      'name',
      'the name of a tier with usage must not begin with 22 letters and a colon, as the digest of a client does: rename it',
      { name: 'customers-of-the-month:hour' },
    ],
  ],
};

const secret: Door = {
  name: 'createLimiter with a secret',
  owner: 'limiter',
  values: 'hidden',
  make: createLimiter,
  mistakes: [
    ['OPTION_INVALID', 'secret', 'secret must be a non-empty text', { tiers, secret: '' }],
    ['OPTION_INVALID', 'secret', 'secret must be a non-empty text', { tiers, secret: ['hunter2'] }],
  ],
};

const payer: Door = {
  name: 'a tier with a balance',
  owner: 'tier "credits" (balance)',
  make: (wrong: object) => createLimiter(of([month, { ...month, name: 'day' }, { ...credits, ...wrong }])),
  mistakes: [
    ['OPTION_UNKNOWN', 'limit', 'has no meaning for a balance: leave it out, and add units by', { limit: 5 }],
    ['OPTION_UNKNOWN', 'window', 'has no meaning for a balance', { window: '1m' }],
    ['OPTION_INVALID', 'lease', 'cannot be combined with balance, whose units never refill', { lease }],
    ['OPTION_INVALID', 'charge', 'cannot be combined with balance', { charge: 'all' }],
    ['OPTION_INVALID', 'record', 'cannot be combined with balance', { record: () => 'text' }],
    ['OPTION_INVALID', 'aboveFull', 'cannot be combined with balance', { aboveFull: 'all' }],
    ['OPTION_INVALID', 'onStoreFailure', 'must be one of "allow", "deny"', { onStoreFailure: 'local' }],
    ['OPTION_INVALID', 'covers', 'must name other tiers of this limiter (month, day), got "year"', covering('year')],
    ['OPTION_INVALID', 'covers', 'must name rates that charge admitted requests', covering('credits')],
    ['OPTION_UNKNOWN', 'covers', 'belongs to the balance: import { balance } from', { covers: ['month'] }],
    ['OPTION_INVALID', 'covers', "cannot be combined with enforce and mode: 'shadow'", { mode: 'shadow' }],
    ['OPTION_INVALID', 'covers', "cannot be combined with enforce and mode: 'shadow'", { enforce: '10%' }],
  ],
};

const covers: Door = {
  name: 'balance',
  owner: 'balance: ',
  values: 'kept',
  make: balance,
  mistakes: [
    ['OPTION_INVALID', 'covers', "must be an array of names of tiers, each once, such as ['month']", { covers: [] }],
    ['OPTION_INVALID', 'covers', 'an array of names of tiers, each once', { covers: ['month', 'month'] }],
    ['OPTION_INVALID', 'covers', 'must be an array', { covers: 'month' }],
    ['OPTION_UNKNOWN', 'cover', 'did you mean covers?', { cover: ['month'] }],
  ],
};

const covered: Door = {
  name: 'a tier that a balance covers',
  owner: 'tier "credits" (balance)',
  make: (wrong: object) => createLimiter(of([{ ...month, ...wrong }, credits])),
  mistakes: [
    ['OPTION_INVALID', 'covers', 'must name rates', { algorithm: 'concurrency', window: undefined }],
    ['OPTION_INVALID', 'covers', 'must name rates', { charge: 'all' }],
    ['OPTION_INVALID', 'covers', 'must name tiers without lease', { lease }],
  ],
};

const login: Door = {
  name: 'loginTiers',
  owner: 'loginTiers',
  make: loginTiers,
  mistakes: [
    ['OPTION_INVALID', 'options', 'options must be an object, got undefined', undefined],
    ['OPTION_INVALID', 'account', 'account is missing: it must be a function of the request', {}],
    ['OPTION_INVALID', 'account', 'account must be a function of the request, got "ada"', { account: 'ada' }],
    ['OPTION_INVALID', 'device', 'device must be a function, got 5', { account: () => 'ada', device: 5 }],
    ['OPTION_INVALID', 'challenged', 'must be a function, got true', { account: () => 'ada', challenged: true }],
    ['OPTION_UNKNOWN', 'adress', 'adress is not an option here', { account: () => 'ada', adress: 5 }],
  ],
};

const perMinute = { key: () => 'ada', requestsPerMinute: 60, tokensPerMinute: 1_000 };

const llm: Door = {
  name: 'llmTiers',
  owner: 'llmTiers',
  make: (wrong: object) => llmTiers({ ...perMinute, ...wrong } as never),
  mistakes: [
    ['LIMIT_INVALID', 'requestsPerMinute', 'is missing: it must be an integer', { requestsPerMinute: undefined }],
    ['LIMIT_INVALID', 'requestsPerMinute', 'from 1 to 90000000, got 0', { requestsPerMinute: 0 }],
    ['LIMIT_INVALID', 'tokensPerMinute', 'from 1 to 90000000, got 100000000', { tokensPerMinute: 1e8 }],
    ['LIMIT_INVALID', 'parallel', 'from 1 to 10000', { parallel: 10_001 }],
    ['LIMIT_INVALID', 'tokensPerDay', 'from 1 to 4294967295', { tokensPerDay: 2 ** 32 }],
    ['LIMIT_INVALID', 'microDollarsPerDay', 'got 0.5', { microDollarsPerDay: 0.5 }],
    ['COST_INVALID', 'estimate', 'of at least 1, got 0', { estimate: 0 }],
    ['OPTION_UNKNOWN', 'tokensPerHour', 'did you mean tokensPer', { tokensPerHour: 5 }],
  ],
};

export const limiters: readonly Door[] = [limiter, counted, secret, payer, covers, covered, login, llm];

function of(given: readonly object[]): LimiterOptions<unknown> {
  return { tiers: given } as unknown as LimiterOptions<unknown>;
}

function covering(name: string) {
  return { algorithm: balance({ covers: [name] }) };
}

function closed() {
  const store = memoryStore();
  store.close();
  return store;
}

function numbered(count: number) {
  return Array.from({ length: count }, (_, index) => ({ ...tier, name: `tier ${index}` }));
}

function queue(name: string) {
  return { ...tier, name, algorithm: 'leaky-bucket', queue: 5 };
}
