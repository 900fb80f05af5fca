import { createLimiter } from '../../limiter/limiter.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { createGate } from './gate.js';
import type { GatedLimiterOptions } from './gate-options.js';
import type { HttpRequest } from '../request.js';

const minute = { limit: 5, window: '1m' } as const;
const tiers = [
  { ...minute, name: 'minute' },
  { limit: 100, window: '1h', name: 'hour' },
] as const;
const limiter = createLimiter<HttpRequest>({ ...minute, key: () => 'ada' });

type Mistake = [code: string, option: string, options: unknown, message: string];

const MISTAKES: Mistake[] = [
  ['OPTION_INVALID', 'options', undefined, 'rateLimit: options must be an object or a limiter, got undefined'],
  ['OPTION_INVALID', 'options', null, 'rateLimit: options must be an object or a limiter, got null'],
  ['OPTION_INVALID', 'options', 5, 'rateLimit: options must be an object or a limiter, got 5'],
  [
    'OPTION_INVALID',
    'limiter',
    { limiter: {} },
    'limiter must be a limiter that createLimiter has made, got an object',
  ],
  ['OPTION_INVALID', 'limiter', { limiter: memoryStore() }, 'limiter must be a limiter that createLimiter has made'],
  ['OPTION_INVALID', 'store', { ...minute, store: limiter }, 'store must be a store, such as memoryStore()'],
  ['LIMIT_INVALID', 'limit', memoryStore(), 'limit must be an integer'],
  ['OPTION_INVALID', 'body', { ...minute, body: 5 }, 'rateLimit: body must be a text, an object or a function, got 5'],
  ['OPTION_INVALID', 'limiter', { limiter: null }, 'limiter must be a limiter that createLimiter has made, got null'],
  [
    'OPTION_UNKNOWN',
    'store',
    { limiter, store: memoryStore() },
    'rateLimit: store cannot be combined with limiter, which has its own limits',
  ],
  ['OPTION_UNKNOWN', 'limit', { limiter, limit: 5 }, 'rateLimit: limit cannot be combined with limiter'],
  ['OPTION_UNKNOWN', 'tiers', { limiter, tiers }, 'rateLimit: tiers cannot be combined with limiter'],
  ['OPTION_UNKNOWN', 'name', { limiter, name: 'a' }, 'rateLimit: name cannot be combined with limiter'],
  [
    'OPTION_INVALID',
    'onStoreFailure',
    { ...minute, onStoreFailure: 'ask' },
    'limiter: onStoreFailure must be one of "local", "allow", "deny", got "ask"',
  ],
  [
    'OPTION_INVALID',
    'onStoreFailure',
    { tiers: [{ ...minute, name: 'minute', onStoreFailure: true }] },
    'tier "minute" (sliding-window): onStoreFailure must be one of "local", "allow", "deny", got true',
  ],
  ['OPTION_INVALID', 'share', { ...minute, share: 0 }, 'limiter: share must be a number above 0 and at most 1'],
  ['OPTION_INVALID', 'share', { tiers, share: 1.5 }, 'limiter: share must be a number above 0 and at most 1'],
  [
    'OPTION_UNKNOWN',
    'onStoreFailure',
    { limiter, onStoreFailure: 'deny' },
    'rateLimit: onStoreFailure cannot be combined with limiter, which has its own limits',
  ],
  ['OPTION_UNKNOWN', 'share', { limiter, share: 0.5 }, 'rateLimit: share cannot be combined with limiter'],
  [
    'OPTION_UNKNOWN',
    'skpi',
    { limiter, skpi: () => true },
    'skpi cannot be combined with limiter, which has its own limits: allowed are skip',
  ],
  ['OPTION_UNKNOWN', 'skpi', { ...minute, skpi: () => true }, 'did you mean skip?'],
  ['OPTION_UNKNOWN', 'refundwhen', { ...minute, refundwhen: () => true }, 'did you mean refundWhen?'],
  ['OPTION_UNKNOWN', 'max', { ...minute, max: 5 }, 'is called limit here'],
  ['OPTION_INVALID', 'limit', { tiers, limit: 5 }, 'limit belongs to a tier'],
  ['OPTION_INVALID', 'skip', { ...minute, skip: true }, 'rateLimit: skip must be a function, got true'],
  ['OPTION_INVALID', 'onDenied', { ...minute, onDenied: 5 }, 'rateLimit: onDenied must be a function, got 5'],
  ['OPTION_INVALID', 'refundWhen', { limiter, refundWhen: 'no' }, 'refundWhen must be a function, got "no"'],
  ['COST_INVALID', 'cost', { ...minute, cost: -1 }, 'rateLimit: cost must be an integer of at least 0, got -1'],
  ['COST_INVALID', 'cost', { ...minute, cost: 1.5 }, 'rateLimit: cost must be an integer of at least 0, got 1.5'],
  ['COST_INVALID', 'cost', { ...minute, cost: '5' }, 'cost must be an integer of at least 0, got "5"'],
  ['COST_INVALID', 'cost', { ...minute, cost: null }, 'cost must be an integer of at least 0, got null'],
  ['COST_INVALID', 'cost', { limiter, cost: NaN }, 'cost must be an integer of at least 0, got NaN'],
  ['COST_INVALID', 'cost', { ...minute, cost: 6 }, 'cost must be at most 5'],
  ['COST_INVALID', 'cost', { tiers, cost: 6 }, 'the capacity of tier "minute", or no request ever fits, got 6'],
  [
    'OPTION_INVALID',
    'headers',
    { ...minute, headers: 'draft-11' },
    'headers must be an array of x-ratelimit, draft-11',
  ],
  ['OPTION_INVALID', 'headers', { ...minute, headers: null }, 'headers must be an array of x-ratelimit, draft-11'],
  [
    'OPTION_INVALID',
    'headers[1]',
    { ...minute, headers: ['x-ratelimit', 'draft-8'] },
    'rateLimit: headers[1] must be one of x-ratelimit, draft-11, draft-7, draft-6, got "draft-8"',
  ],
  [
    'OPTION_INVALID',
    'headers[0]',
    { ...minute, headers: ['constructor'] },
    'headers[0] must be one of x-ratelimit, draft-11',
  ],
  ['OPTION_INVALID', 'headers', { limiter, headers: ['draft-11', 'draft-6'] }, 'headers must have at most one draft'],
  ['LIMIT_INVALID', 'limit', { ...minute, limit: NaN }, 'limit must be an integer'],
  ['KEY_INVALID', 'key', { ...minute, key: 'ip' }, 'key must be a function of the subject, got "ip"'],
];

describe('the options of a gate', () => {
  it.each(MISTAKES)('are refused with %s of %s: %#', (code, option, options, message) => {
    const make = () => createGate(options as GatedLimiterOptions<HttpRequest>);

    expect(make).toThrow(
      expect.objectContaining({ name: 'ConfigError', code, option, message: expect.stringContaining(message) }),
    );
  });

  it.each<[string, object]>([
    ['one tier in short', minute],
    ['tiers', { tiers }],
    ['plans', { tiers: () => tiers }],
    ['a limiter', { limiter }],
    ['what becomes of it without its store', { ...minute, onStoreFailure: 'deny', share: 1 / 3 }],
    [
      'what becomes of its tiers, and of one of them',
      { tiers: [{ ...tiers[0], onStoreFailure: 'deny' }, tiers[1]], onStoreFailure: 'allow', share: 1 },
    ],
    ['no dialect', { ...minute, headers: [] }],
    ['a dialect beside a draft', { ...minute, headers: ['x-ratelimit', 'draft-7'] }],
    ['a cost of 0', { ...minute, cost: 0 }],
    ['the largest cost that fits', { ...minute, cost: 5 }],
    [
      'a cost that only tiers with a cost of their own cannot hold',
      { tiers: [{ ...tiers[0], cost: 1 }, tiers[1]], cost: 6 },
    ],
    ['a cost that a limit may be too small for', { ...minute, limit: () => 5, cost: 6 }],
    [
      'options that are undefined',
      { ...minute, skip: undefined, cost: undefined, headers: undefined, limiter: undefined },
    ],
  ])('are taken with %s', (_what, options) => {
    expect(() => createGate(options as GatedLimiterOptions<HttpRequest>)).not.toThrow();
  });
});
