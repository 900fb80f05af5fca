import { createLimiter } from '../../limiter/limiter.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import type { HttpRequest } from '../request.js';
import type { GatedLimiterOptions } from './gate-options.js';
import { createGate } from './gate.js';

const minute = { limit: 5, window: '1m' } as const;
const tiers = [
  { ...minute, name: 'minute' },
  { limit: 100, window: '1h', name: 'hour' },
] as const;
const limiter = createLimiter<HttpRequest>({ ...minute, key: () => 'ada' });
const create = (options: unknown) => createGate(options as GatedLimiterOptions<HttpRequest>);

const circular: { self?: object } = {};
circular.self = circular;

const combined = 'cannot be combined with limiter, which has its own limits: allowed are skip, cost, headers, body';
const formats = 'x-ratelimit, draft-11, draft-7, draft-6, openai';

describe('readGateOptions', () => {
  it.each<[code: string, option: string, options: unknown, message: string]>([
    ['OPTION_INVALID', 'options', undefined, 'rateLimit: options must be an object, got undefined'],
    ['OPTION_INVALID', 'options', null, 'rateLimit: options must be an object, got null'],
    ['OPTION_INVALID', 'options', limiter, 'rateLimit: options must be an object that holds the limiter: { limiter }'],
    [
      'OPTION_INVALID',
      'limiter',
      { limiter: {} },
      'limiter must be a limiter that createLimiter has made, got an object',
    ],
    ['OPTION_INVALID', 'limiter', { limiter: memoryStore() }, 'limiter must be a limiter that createLimiter has made'],
    ['OPTION_INVALID', 'limiter', { ...minute, limiter: 'slidingWindow' }, ": for an algorithm write algorithm: 'sl"],
    ['OPTION_INVALID', 'limiter', { limiter: null }, 'limiter must be a limiter that createLimiter has made, got null'],
    ['OPTION_UNKNOWN', 'store', { limiter, store: memoryStore() }, `rateLimit: store ${combined}`],
    ['OPTION_UNKNOWN', 'tiers', { limiter, tiers }, `rateLimit: tiers ${combined}`],
    ['OPTION_UNKNOWN', 'skpi', { limiter, skpi: () => true }, `rateLimit: skpi ${combined}`],
    ['OPTION_INVALID', 'skip', { ...minute, skip: true }, 'rateLimit: skip must be a function, got true'],
    ['OPTION_INVALID', 'onDenied', { ...minute, onDenied: 5 }, 'rateLimit: onDenied must be a function, got 5'],
    ['OPTION_INVALID', 'refundWhen', { limiter, refundWhen: 'no' }, 'refundWhen must be a function, got "no"'],
    [
      'OPTION_INVALID',
      'body',
      { ...minute, body: 5 },
      'rateLimit: body must be a string, an object or a function, got 5',
    ],
    [
      'OPTION_INVALID',
      'body',
      { ...minute, body: Promise.resolve({ error: 'slow down' }) },
      'rateLimit: body must be a string, an object or a function, got a promise: await it',
    ],
    [
      'OPTION_INVALID',
      'body',
      { ...minute, body: { units: 5n } },
      'rateLimit: body must be a value that JSON can hold',
    ],
    ['OPTION_INVALID', 'body', { ...minute, body: circular }, 'without cycles and BigInt, got an object'],
    ['COST_INVALID', 'cost', { ...minute, cost: 1.5 }, 'rateLimit: cost must be an integer of at least 0, got 1.5'],
    ['COST_INVALID', 'cost', { ...minute, cost: '5' }, 'cost must be a number, not text'],
    ['COST_INVALID', 'cost', { ...minute, cost: null }, 'cost must be an integer of at least 0, got null'],
    ['COST_INVALID', 'cost', { limiter, cost: -1 }, 'cost must be an integer of at least 0, got -1'],
    ['COST_INVALID', 'cost', { ...minute, cost: 6 }, 'rateLimit: cost must be at most 5'],
    ['COST_INVALID', 'cost', { tiers, cost: 6 }, 'the capacity of tier "minute"'],
    ['OPTION_INVALID', 'headers', { ...minute, headers: 'draft-11' }, `${formats}: write headers: ['draft-11'], got`],
    ['OPTION_INVALID', 'headers', { ...minute, headers: 'draft-12' }, `headers must be an array of ${formats}, got`],
    ['OPTION_INVALID', 'headers', { ...minute, headers: null }, `headers must be an array of ${formats}`],
    [
      'OPTION_INVALID',
      'headers[1]',
      { ...minute, headers: ['x-ratelimit', 'draft-8'] },
      `one of ${formats}, got "draft-8"`,
    ],
    ['OPTION_INVALID', 'headers[0]', { ...minute, headers: ['constructor'] }, `headers[0] must be one of ${formats}`],
    ['OPTION_INVALID', 'headers', { limiter, headers: ['draft-11', 'draft-6'] }, 'headers must have at most one draft'],
    // Errors of the limiter, which knows its options and those of the gate.
    ['OPTION_INVALID', 'store', { ...minute, store: limiter }, 'store must be a store, such as memoryStore()'],
    ['LIMIT_INVALID', 'limit', memoryStore(), 'limit is missing: it must be an integer'],
    ['OPTION_INVALID', 'limit', { tiers, limit: 5 }, 'limit belongs to a tier'],
    ['KEY_INVALID', 'key', { ...minute, key: 'ip' }, 'key must be a function of the subject, got "ip"'],
    ['OPTION_UNKNOWN', 'skpi', { ...minute, skpi: () => true }, 'did you mean skip?'],
    ['OPTION_UNKNOWN', 'max', { ...minute, max: 5 }, 'rateLimit: max is called limit here'],
    ['OPTION_UNKNOWN', 'handler', { ...minute, handler: Math.random }, 'handler is called onDenied here'],
    ['OPTION_UNKNOWN', 'handler', { limiter, handler: Math.random }, 'handler is called onDenied here'],
    ['OPTION_UNKNOWN', 'keyGenerator', { limiter, keyGenerator: Math.random }, `keyGenerator ${combined}`],
    ['OPTION_UNKNOWN', 'colour', { ...minute, colour: 'red' }, 'rateLimit: colour is not an option here'],
    ['TIERS_INVALID', 'tiers', { tiers: [] }, 'rateLimit: tiers must be an array of 1 to 32 tiers'],
    ['TIERS_INVALID', 'tiers', { tiers: [5] }, 'rateLimit: tiers must hold objects, got 5'],
    ['OPTION_INVALID', 'share', { ...minute, share: 2 }, 'rateLimit: share must be a number above 0'],
    ['OPTION_INVALID', 'secret', { ...minute, secret: '' }, 'rateLimit: secret must be a non-empty text'],
    ['OPTION_INVALID', 'options', { headers: {}, socket: {} }, 'got a request. Call it: app.use(rateLimit({ … }))'],
    ['OPTION_INVALID', 'options', { headers: {}, raw: {} }, 'got a request. Call it: app.use(rateLimit({ … }))'],
  ])('throws %s for %s: %#', (code, option, options, message) => {
    expect(() => create(options)).toThrow(
      expect.objectContaining({ name: 'ConfigError', code, option, message: expect.stringContaining(message) }),
    );
  });

  it.each<[string, object]>([
    ['one tier in short form', minute],
    ['tiers', { tiers }],
    ['a function of tiers', { tiers: () => tiers }],
    ['a limiter', { limiter }],
    ['onStoreFailure and share', { ...minute, onStoreFailure: 'deny', share: 1 / 3 }],
    ['no headers', { ...minute, headers: [] }],
    ['x-ratelimit with a draft', { ...minute, headers: ['x-ratelimit', 'draft-7'] }],
    ['a cost of 0', { ...minute, cost: 0 }],
    ['the largest cost that fits', { ...minute, cost: 5 }],
    ['a cost above tiers that have their own', { tiers: [{ ...tiers[0], cost: 1 }, tiers[1]], cost: 6 }],
    ['a cost above a limit that is a function', { ...minute, limit: () => 5, cost: 6 }],
    ['undefined options', { ...minute, skip: undefined, cost: undefined, headers: undefined, limiter: undefined }],
  ])('accepts %s', (_case, options) => {
    expect(() => create(options)).not.toThrow();
  });
});
