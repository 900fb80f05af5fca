import { byApiKey } from '../../http/keys/api-key.js';
import { byIp } from '../../http/keys/ip.js';
import { byJwtSubject } from '../../http/keys/jwt-subject.js';
import { bySession } from '../../http/keys/session.js';
import type { ErrorCode } from '../../model/errors.js';
import { configError } from '../../../../../test/support/config-error.js';
import { TierDefinition } from './tier-definition.js';
import type { TierDefaults } from './tier-context.js';
import type { Tier } from './tier.js';

/** Mistakes in options of an algorithm have specs beside it. */
const MISTAKES: [code: ErrorCode, option: string, options: object, rule: string, got: string][] = [
  ['LIMIT_INVALID', 'limit', { limit: 1.5 }, 'must be an integer from 1 to 4294967295', '1.5'],
  ['LIMIT_INVALID', 'limit', { limit: '100' }, 'must be a number, not text: write Number(process.env.', '"100"'],
  ['LIMIT_INVALID', 'limit', { limit: 0 }, 'must be at least 1: to deny every request, write limit: () => 0', '0'],
  ['LIMIT_INVALID', 'limit', { limit: -1 }, 'for no limit, write limit: () => null', '-1'],
  ['LIMIT_INVALID', 'limit', { limit: Infinity }, 'for no limit, write limit: () => null', 'Infinity'],
  ['LIMIT_INVALID', 'limit', { limit: null }, 'for no limit, write limit: () => null', 'null'],
  ['LIMIT_INVALID', 'limit', { algorithm: 'token-bucket', limit: 9e7 + 1 }, 'from 1 to 90000000', '90000001'],
  ['WINDOW_INVALID', 'window', { window: '1 minute' }, "in ms, s, m, h, d or w: write '1m'", '"1 minute"'],
  ['PRECISION_INVALID', 'window', { window: 1.001, strict: true }, 'precisions that do are 13 and 77', '1.001'],
  ['BURST_INVALID', 'burst', { algorithm: 'token-bucket', burst: null }, 'must be an integer from 1', 'null'],
  ['COST_INVALID', 'cost', { cost: 0 }, 'must be an integer of at least 1', '0'],
  ['COST_INVALID', 'cost', { cost: 1.5 }, 'must be an integer of at least 1', '1.5'],
  ['COST_INVALID', 'cost', { limit: 10, cost: 11 }, 'must be at most 10, or no request ever fits', '11'],
  ['KEY_INVALID', 'key', { key: byIp }, 'must be what byIp returns: write byIp()', 'the function byIp'],
  ['KEY_INVALID', 'key', { key: byApiKey }, 'returns: write byApiKey()', 'the function byApiKey'],
  ['KEY_INVALID', 'key', { key: byJwtSubject }, 'returns: write byJwtSubject()', 'the function byJwtSubject'],
  ['KEY_INVALID', 'key', { key: bySession }, 'returns: write bySession()', 'the function bySession'],
  ['KEY_INVALID', 'key', { key: 'ip' }, 'must be a function of the subject', '"ip"'],
  ['OPTION_INVALID', 'unit', { unit: 'Tokens' }, 'must be 1 to 32 lower-case letters', '"Tokens"'],
  ['OPTION_INVALID', 'unit', { unit: 'x'.repeat(33) }, "such as 'tokens'", `"${'x'.repeat(33)}"`],
  ['OPTION_INVALID', 'aboveFull', { aboveFull: 'some' }, 'must be one of "never", "all"', '"some"'],
  ['OPTION_INVALID', 'mode', { mode: 'dry' }, 'must be one of "enforce", "shadow"', '"dry"'],
  ['OPTION_INVALID', 'charge', { charge: 1 }, 'must be one of "admitted", "denied", "all"', '1'],
  ['OPTION_INVALID', 'record', { record: 'ip' }, 'must be a function of the subject', '"ip"'],
  ['OPTION_INVALID', 'label', { label: 'ip' }, 'must be a function of the subject', '"ip"'],
  ['OPTION_UNKNOWN', 'limt', { limt: 5 }, 'did you mean limit?', '5'],
  ['OPTION_UNKNOWN', 'burst', { algorithm: 'fixed-window', burst: 5 }, 'of token-bucket and leaky-bucket: set', '5'],
  ['OPTION_UNKNOWN', 'strict', { algorithm: 'fixed-window', strict: true }, 'of sliding-window: set algorithm', 'true'],
  ['OPTION_UNKNOWN', 'max', { max: 5 }, 'is called limit here', '5'],
  ['OPTION_UNKNOWN', 'keyGenerator', { keyGenerator: Math.random }, 'is called key here', ''],
  ['OPTION_UNKNOWN', 'colour', { colour: 'red' }, 'is not an option here', '"red"'],
];

const several = { algorithm: 'multi-window', windows: [of(5, '1s'), of(9, '1m')] };

const WINDOWS: [code: ErrorCode, option: string, options: object, rule: string, got: string][] = [
  ['WINDOW_INVALID', 'windows', { windows: [of(5, '1m')] }, 'must be an array of at least two', 'an array of 1'],
  ['WINDOW_INVALID', 'windows[1].window', { windows: [of(5, '1s'), of(9, '1x')] }, 'must be a duration', '"1x"'],
  ['OPTION_UNKNOWN', 'windows[1].limt', { windows: [of(5, '1s'), { limt: 9, window: '1m' }] }, 'mean limit?', '9'],
  ['OPTION_UNKNOWN', 'window', { window: '1m' }, 'did you mean windows?', '"1m"'],
];

/** An error keeps no object: it may be a request. */
function keptOf(value: unknown): unknown {
  return typeof value === 'function' || (typeof value === 'object' && value !== null) ? undefined : value;
}

describe('TierDefinition', () => {
  it.each([
    ...MISTAKES.map((mistake) => [...mistake, { limit: 5, window: '1m' }] as const),
    ...WINDOWS.map((mistake) => [...mistake, several] as const),
  ])('rejects with %s of %s the options %j', (code, option, options, rule, got, right) => {
    const make = () => define({ ...right, ...options });

    // The value of an unknown option may be secret.
    const isShown = code !== 'OPTION_UNKNOWN';
    const value = option in options ? { value: keptOf(isShown ? options[option as never] : undefined) } : {};
    expect(make).toThrow(expect.objectContaining({ name: 'ConfigError', code, option, ...value }));
    const ending = isShown ? `, got ${literal(got)}` : '';
    expect(make).toThrow(new RegExp(`^tier "hour".*: ${literal(option)} .*${literal(rule)}.*${ending}$`));
  });
});

describe('TierDefinition of a pause', () => {
  it.each([
    ['charge', 'all'],
    ['charge', 'denied'],
    ['cost', 2],
    ['unit', 'tokens'],
    ['aboveFull', 'all'],
    ['record', () => 'text'],
    ['lease', { units: 1, duration: '1s' }],
  ])('rejects %s: %j, which has no meaning for it', (option, value) => {
    const make = () => define({ algorithm: 'pause', [option]: value });

    const message = `tier "hour" (pause): ${option} cannot be combined with pause, which charges no request: leave it out`;
    expect(make).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', option, message: expect.stringContaining(message) }),
    );
  });

  it('takes a mode, a label and what happens without the store', () => {
    const options = { mode: 'shadow', label: () => 'ada', onStoreFailure: 'allow' };

    expect(define({ algorithm: 'pause', ...options })).toMatchObject({ shadow: true, onStoreFailure: 'allow' });
  });
});

describe('TierDefinition of a ban', () => {
  const ban = { algorithm: 'backoff', charge: 'denied', limit: 5, window: '1d', delays: ['1h'] };

  it('needs no forgive, and rejects it, because nothing forgives a ban', () => {
    const rule = "cannot be combined with charge: 'denied', because no success forgives a ban: leave it out";

    expect(define(ban).charge).toBe('denied');
    expect(() => define({ ...ban, forgive: 'one' })).toThrow(`tier "hour" (backoff): forgive ${rule}, got "one"`);
    expect(() => define({ ...ban, charge: 'admitted' })).toThrow('forgive is missing');
  });
});

describe('TierDefinition without a required option', () => {
  it.each<[ErrorCode, string, object, string]>([
    ['LIMIT_INVALID', 'limit', { window: '1m' }, 'an integer from 1 to 4294967295'],
    ['WINDOW_INVALID', 'window', { limit: 5 }, "a duration, such as '1m'"],
    ['KEY_INVALID', 'key', { limit: 5, window: '1m', key: undefined }, 'a function of the subject'],
  ])('throws %s', (code, option, options, rule) => {
    const message = `tier "hour" (sliding-window): ${option} is missing: it must be ${rule}`;

    expect(() => define(options)).toThrow(configError(code, option, message));
  });
});

describe('TierDefinition with a limit function', () => {
  it.each<[string, object]>([
    ['a burst that refills in time at some limits only', { algorithm: 'token-bucket', window: '30d', burst: 500 }],
    ['a queue that empties in time at some limits only', { algorithm: 'leaky-bucket', window: '30d', queue: 500 }],
    ['the longest window', { window: '400d', precision: 250 }],
    ['the largest burst', { algorithm: 'gcra', window: '400d', burst: 9e7 }],
  ])('accepts %s', (_what, options) => {
    expect(() => define({ limit: () => 1_000, ...options })).not.toThrow();
  });

  it.each<[string, object]>([
    ['window', { window: '0s' }],
    ['precision', { window: '1s', precision: 7 }],
    ['burst', { window: '1s', algorithm: 'token-bucket', burst: 0 }],
  ])('checks %s at once', (option, options) => {
    expect(() => define({ limit: () => 1_000, ...options })).toThrow(expect.objectContaining({ option }));
  });

  it('creates one policy for each limit, for the same state', () => {
    const tier = define({ limit: () => 5, window: '1m' });

    expect(tier.policiesAt(5)).toBe(tier.policiesAt(5));
    expect(tier.policiesAt(5).policy).toMatchObject({ limit: 5, window: 6e7 });
    expect(tier.policiesAt(6).policy.dimensions).toBe(tier.policiesAt(5).policy.dimensions);
  });

  it('caches a thousand policies, and creates evicted ones again', () => {
    const tier = define({ limit: () => 5, window: '1m' });
    const first = tier.policiesAt(1).policy;

    for (let limit = 2; limit <= 1_001; limit += 1) tier.policiesAt(limit);

    expect(tier.policiesAt(1).policy).not.toBe(first);
    expect(tier.policiesAt(1).policy).toEqual(first);
    expect(tier.policiesAt(1_001)).toBe(tier.policiesAt(1_001));
  });
});

describe('TierDefinition.policiesAt', () => {
  it.each([{ limit: 10 }, { limit: () => 10 }])('returns policies with the unit of the tier: %j', (limit) => {
    const tier = define({ ...limit, window: '1m', unit: 'tokens' });
    const { policy, localPolicy } = tier.policiesAt(10);

    expect([policy.unit, localPolicy.unit, define({ ...limit, window: '1m' }).policiesAt(10).policy.unit]).toEqual([
      'tokens',
      'tokens',
      undefined,
    ]);
  });

  it('returns the policy itself as the local one by default', () => {
    const { policy, localPolicy } = define({ limit: 10, window: '1m' }).policiesAt(10);

    expect(localPolicy).toBe(policy);
  });

  it.each([10, () => 10])('returns a share of the policy, for the same state (limit %p)', (limit) => {
    const { policy, localPolicy } = define({ limit, window: '1m' }, { share: 1 / 3 }).policiesAt(10);

    expect([policy.limit, localPolicy.limit]).toEqual([10, 4]);
    expect(localPolicy.dimensions).toBe(policy.dimensions);
  });
});

describe('TierDefinition with defaults of its limiter', () => {
  const minute = { limit: 5, window: '1m' };
  const key = () => 'by address';

  it('prefers its own onStoreFailure to that of the limiter', () => {
    const modes = [define({ ...minute, onStoreFailure: 'allow' }, { onStoreFailure: 'deny' })];
    modes.push(define(minute, { onStoreFailure: 'deny' }), define(minute));

    expect(modes.map(({ onStoreFailure }) => onStoreFailure)).toEqual(['allow', 'deny', 'local']);
  });

  it('lets a function limit requests that wait', () => {
    const options = { algorithm: 'concurrency', limit: () => 2, queue: 3, wait: '1s' };

    expect(define(options).policiesAt(2).policy).toMatchObject({ limit: 2, queue: 3 });
  });

  it('takes the default key only if it has none', () => {
    expect(define({ ...minute, key: undefined }, { key }).key).toBe(key);
    expect(define(minute, { key }).key).not.toBe(key);
    expect(() => define({ ...minute, key: null }, { key })).toThrow(configError('KEY_INVALID', 'key'));
  });

  it.each<[string, object]>([
    ['a window', minute],
    ['a bucket', { limit: 100, window: '1m', algorithm: 'token-bucket', burst: 5 }],
    ['a queue', { limit: 100, window: '1m', algorithm: 'leaky-bucket', queue: 4 }],
    ['several windows', several],
  ])('rejects a cost of all requests that %s can never hold', (_what, options) => {
    const message = 'limiter: cost must be at most 5, the capacity of tier "hour", or no request ever fits, got 6';

    expect(() => define(options, { cost: 5 })).not.toThrow();
    expect(() => define(options, { cost: 6 })).toThrow(configError('COST_INVALID', 'cost', message));
  });

  it.each<[string, object]>([
    ['a cost of its own', { ...minute, cost: 1 }],
    ['a cost function', { ...minute, cost: () => 1 }],
    ['a limit function', { limit: () => 5, window: '1m' }],
  ])('accepts any cost of all requests with %s', (_what, options) => {
    expect(() => define(options, { cost: 6 })).not.toThrow();
  });
});

function of(limit: number, window: string) {
  return { limit, window };
}

function define(options: object, defaults: TierDefaults<unknown> = {}): TierDefinition<unknown> {
  const context = { owner: 'limiter', prefix: 'rl', secret: undefined, defaults };
  return new TierDefinition({ key: () => 'ada', ...options } as unknown as Tier<unknown>, 'hour', context);
}

/** Text as a regular expression finds it. */
function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
