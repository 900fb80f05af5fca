import { createLimiter, memoryStore, type HttpRequest } from '@sluice/http';
import { createGate } from '../../../packages/http/src/gate/gate.js';
import { sentTimes } from '../../../packages/overload/src/shed/sent-times.js';
import type { Door, Mistake } from '../door.js';

const minute = { limit: 5, window: '1m' } as const;
const tiers = [
  { ...minute, name: 'minute' },
  { limit: 100, window: '1h', name: 'hour' },
] as const;
const limiter = createLimiter<HttpRequest>({ ...minute, key: () => 'ada' });
const circular: { self?: object } = {};
circular.self = circular;

const combined = 'cannot be combined with limiter, which has its own limits: allowed are skip, cost, headers, body';
const formats = 'x-ratelimit, draft-11, draft-7, draft-6, openai';
const uncalled = 'got a request. Call it: app.use(rateLimit({ … }))';
const made = 'limiter must be a limiter that createLimiter has made';

/** What an adapter passes on: options of the gate, and those of its limiter. */
export const gates: readonly Door[] = [
  {
    name: 'createGate',
    owner: '',
    make: createGate,
    mistakes: [
      ['OPTION_INVALID', 'options', 'rateLimit: options must be an object, got undefined', undefined],
      ['OPTION_INVALID', 'options', 'rateLimit: options must be an object, got null', null],
      ['OPTION_INVALID', 'options', 'rateLimit: options must be an object that holds the limiter', limiter],
      ['OPTION_INVALID', 'options', uncalled, { headers: {}, socket: {} }],
      ['OPTION_INVALID', 'options', uncalled, { headers: {}, raw: {} }],
      ['OPTION_INVALID', 'limiter', `${made}, got an object`, { limiter: {} }],
      ['OPTION_INVALID', 'limiter', made, { limiter: memoryStore() }],
      ['OPTION_INVALID', 'limiter', ": for an algorithm write algorithm: 'sl", { ...minute, limiter: 'slidingWindow' }],
      ['OPTION_INVALID', 'limiter', `${made}, got null`, { limiter: null }],
      ['OPTION_UNKNOWN', 'store', `rateLimit: store ${combined}`, { limiter, store: memoryStore() }],
      ['OPTION_UNKNOWN', 'tiers', `rateLimit: tiers ${combined}`, { limiter, tiers }],
      ['OPTION_UNKNOWN', 'skpi', `rateLimit: skpi ${combined}`, { limiter, skpi: () => true }],
      ['OPTION_INVALID', 'skip', 'rateLimit: skip must be a function, got true', { ...minute, skip: true }],
      ['OPTION_INVALID', 'onDenied', 'rateLimit: onDenied must be a function, got 5', { ...minute, onDenied: 5 }],
      ['OPTION_INVALID', 'refundWhen', 'must be a function, got "no"', { limiter, refundWhen: 'no' }],
      ['OPTION_INVALID', 'body', 'must be a string, an object or a function, got 5', { ...minute, body: 5 }],
      [
        'OPTION_INVALID',
        'body',
        'an object or a function, and is a promise: await it',
        { ...minute, body: Promise.resolve({ error: 'slow down' }) },
      ],
      ['OPTION_INVALID', 'body', 'must be a value that JSON can hold', { ...minute, body: { units: 5n } }],
      ['OPTION_INVALID', 'body', 'without cycles and BigInt, got an object', { ...minute, body: circular }],
      ['COST_INVALID', 'cost', 'rateLimit: cost must be an integer of at least 0, got 1.5', { ...minute, cost: 1.5 }],
      ['COST_INVALID', 'cost', 'cost must be a number, not text', { ...minute, cost: '5' }],
      ['COST_INVALID', 'cost', 'cost must be an integer of at least 0, got null', { ...minute, cost: null }],
      ['COST_INVALID', 'cost', 'cost must be an integer of at least 0, got -1', { limiter, cost: -1 }],
      ['COST_INVALID', 'cost', 'rateLimit: cost must be at most 5', { ...minute, cost: 6 }],
      ['COST_INVALID', 'cost', 'the capacity of tier "minute"', { tiers, cost: 6 }],
      ['OPTION_INVALID', 'headers', `${formats}: write headers: ['draft-11'], got`, { ...minute, headers: 'draft-11' }],
      ['OPTION_INVALID', 'headers', `must be an array of ${formats}, got`, { ...minute, headers: 'draft-12' }],
      ['OPTION_INVALID', 'headers', `must be an array of ${formats}`, { ...minute, headers: null }],
      [
        'OPTION_INVALID',
        'headers[1]',
        `one of ${formats} (did you mean "draft-7"?), got "draft-8"`,
        headers('x-ratelimit', 'draft-8'),
      ],
      ['OPTION_INVALID', 'headers[0]', `must be one of ${formats}`, headers('constructor')],
      ['OPTION_INVALID', 'headers', 'must have at most one draft', { limiter, headers: ['draft-11', 'draft-6'] }],
      // Errors of the limiter, which knows its options and those of the gate.
      ['OPTION_INVALID', 'store', 'must be a store, such as memoryStore()', { ...minute, store: limiter }],
      ['LIMIT_INVALID', 'limit', 'limit is missing: it must be an integer', memoryStore()],
      ['OPTION_INVALID', 'limit', 'limit belongs to a tier', { tiers, limit: 5 }],
      ['KEY_INVALID', 'key', 'key must be a function of the subject: write byIp(), got "ip"', { ...minute, key: 'ip' }],
      ['OPTION_UNKNOWN', 'skpi', 'did you mean skip?', { ...minute, skpi: () => true }],
      ['OPTION_UNKNOWN', 'url', 'write store: redisStore({ url })', { ...minute, url: 'redis://h' }],
      ['OPTION_UNKNOWN', 'trustProxy', "on Express write app.set('trust proxy', …)", { ...minute, trustProxy: 1 }],
      ['OPTION_UNKNOWN', 'max', 'rateLimit: max is called limit here', { ...minute, max: 5 }],
      ['OPTION_UNKNOWN', 'handler', 'handler is called onDenied here', { ...minute, handler: Math.random }],
      ['OPTION_UNKNOWN', 'handler', 'handler is called onDenied here', { limiter, handler: Math.random }],
      ['OPTION_UNKNOWN', 'keyGenerator', `keyGenerator ${combined}`, { limiter, keyGenerator: Math.random }],
      ['OPTION_UNKNOWN', 'colour', 'rateLimit: colour is not an option here', { ...minute, colour: 'red' }],
      ['TIERS_INVALID', 'tiers', 'rateLimit: tiers must be an array of 1 to 32 tiers', { tiers: [] }],
      ['TIERS_INVALID', 'tiers', 'rateLimit: tiers must hold objects, got 5', { tiers: [5] }],
      ['OPTION_INVALID', 'share', 'rateLimit: share must be a number above 0', { ...minute, share: 2 }],
    ],
  },
  {
    name: 'sentTimes',
    owner: 'sentTimes: ',
    make: sentTimes,
    mistakes: [
      ['OPTION_INVALID', 'header', 'header is missing: it must be the name of a header', { from: 'unix' }],
      [
        'OPTION_INVALID',
        'header',
        "must be the name of a header, such as 'x-request-start', got",
        { header: 'x start', from: 'unix' },
      ],
      ['OPTION_INVALID', 'from', 'from is missing: it must be addresses and networks of your', { header: 'x-start' }],
      [
        'OPTION_INVALID',
        'from',
        "must be addresses and networks of your proxies, such as ['10.0.0.0/8'], or 'unix', got",
        from('10.0.0.0/8'),
      ],
      ['OPTION_INVALID', 'from', "or 'unix', got an array of 0", from([])],
      ['OPTION_INVALID', 'from[1]', 'from[1] must be', from(['loopback', '10.0.0.0/33'])],
      ['OPTION_UNKNOWN', 'form', 'form is not an option here: did you mean from?', { header: 'x-start', form: 'unix' }],
    ],
  },
  {
    name: 'createGate with a secret',
    owner: 'rateLimit',
    values: 'hidden',
    make: createGate,
    mistakes: [['OPTION_INVALID', 'secret', 'secret must be a non-empty text', { ...minute, secret: '' }]],
  },
];

function headers(...given: string[]): Mistake[3] {
  return { ...minute, headers: given };
}

function from(given: unknown): Mistake[3] {
  return { header: 'x-request-start', from: given };
}
