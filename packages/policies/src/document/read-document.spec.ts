import { createLimiter, type KeyFunction, memoryStore } from '@sluice/core';
import { fair as shares } from '@sluice/overload/fair';
import { lines as places } from '@sluice/overload/line';
import { quotas } from '@sluice/quotas';
import { readDocument } from './read-document.js';

type Subject = { readonly tenant: string; readonly plan?: string };

const keys: Record<string, KeyFunction<Subject>> = { tenant: ({ tenant }) => tenant };
const plans = ({ plan }: Subject) => plan;
const read = (text: string) => readDocument<Subject>('limits.yaml', text, { keys, plans, features: [quotas, shares] });

/** A file with the lines of one tier, whose first option is at 5:9. */
function fileOf(...options: string[]): string {
  return ['version: 1', 'limiters:', '  api:', '    tiers:', ...options.map(option)].join('\n');
}

/** A file with these tiers, the first of which is at 5:9. */
function tiersOf(...tiers: string[]): string {
  return ['version: 1', 'limiters:', '  api:', '    tiers:', ...tiers.map((each) => `      - ${each}`)].join('\n');
}

function option(text: string, index: number): string {
  return `${index === 0 ? '      - ' : '        '}${text}`;
}

const tier = (...changes: string[]) => fileOf('name: hour', 'key: tenant', 'window: 1h', ...changes);

const shared = (fair: string) =>
  fileOf('name: hour', 'key: tenant', 'algorithm: concurrency', 'limit: 5', `fair: ${fair}`);

describe('readDocument', () => {
  it('reads YAML and JSON alike', () => {
    const yaml = read(tier('limit: 5', 'algorithm: sliding-window', 'precision: 10'));
    const json = read(JSON.stringify(yaml.source.value));

    expect(yaml.limiters.get('api')).toEqual([
      { name: 'hour', key: keys['tenant'], window: '1h', limit: 5, algorithm: 'sliding-window', precision: 10 },
    ]);
    expect(json.limiters).toEqual(yaml.limiters);
  });

  it('takes limits by plan, and gives otherwise to a plan that the file does not have', () => {
    const text = tier('limit: { free: 100, pro: null, closed: 0, otherwise: 7 }');
    const limit = (read(text).limiters.get('api')![0] as { limit: (subject: Subject) => unknown }).limit;

    const limits = ['free', 'pro', 'closed', 'other', '__proto__', 'otherwise', undefined].map((plan) =>
      limit({ tenant: 'a', ...(plan !== undefined && { plan }) }),
    );

    expect(limits).toEqual([100, null, 0, 7, 7, 7, 7]);
  });

  it.each([
    ['0', 0],
    ['null', null],
  ])('takes the limit %s', (text, units) => {
    const [{ limit }] = read(tier(`limit: ${text}`)).limiters.get('api') as unknown as [{ limit: () => unknown }];

    expect(limit()).toBe(units);
  });

  it('takes the caller and the weights of a shared limit', async () => {
    const lines = ['algorithm: concurrency', 'limit: 5', 'fair: { by: tenant, weight: { pro: 3, otherwise: 1 } }'];
    const [{ fair }] = read(fileOf('name: running', 'key: ip', ...lines)).limiters.get('api') as unknown as [
      { fair: { by: unknown; weight: (subject: Subject) => number } },
    ];

    const weights = ['pro', 'free', '__proto__'].map((plan) => fair.weight({ tenant: 'a', plan }));

    expect([fair.by, weights]).toEqual([keys['tenant'], [3, 1, 1]]);
  });

  it('takes the bound and the callers of a line', async () => {
    const lined = tier('algorithm: token-bucket', 'limit: 60', 'line: { longest: 5m, keep: 2s, by: tenant }');
    const document = readDocument<Subject>('limits.yaml', lined, { keys, plans, features: [places] });
    const limiter = createLimiter({ store: memoryStore(), tiers: document.limiters.get('api')! });

    const spent = await limiter.consume({ tenant: 'ada' }, { cost: 60 });
    const denied = [await limiter.consume({ tenant: 'ada' }), await limiter.consume({ tenant: 'ada' })];

    expect([spent.allowed, ...denied.map(({ allowed }) => allowed)]).toEqual([true, false, false]);
    expect(denied.map(({ binding }) => binding!.fitsAfter !== undefined)).toEqual([true, true]);
  });

  it.each([
    ['true', '9:15 tier "hour": line must be a map: write line: { longest: \'5m\' }'],
    ['{ longest: 5m, until: 1m }', '9:30 tier "hour": line.until'],
    ['{ longest: 5m, by: strangers }', '9:34 tier "hour": line.by must be one of'],
    ['{ longest: 100ms }', '9:26 tier "hour": line.longest must be a duration from 1 s to 49 days'],
  ])('refuses the line %s, and says where it is', (text, message) => {
    const lined = tier('limit: 60', `line: ${text}`);

    expect(() => readDocument<Subject>('limits.yaml', lined, { keys, plans, features: [places] })).toThrow(
      `limits.yaml:${message}`,
    );
  });

  it('says at a line to pass the feature lines, where openPolicies got none', () => {
    expect(() => read(tier('limit: 60', 'line: { longest: 5m }'))).toThrow(
      `line needs a feature: import { lines } from '@sluice/overload/line', and give openPolicies features: [lines]`,
    );
  });

  it.each(['ip', 'api-key', 'jwt-subject', 'session', 'header:x-user', 'tenant'])('knows the key %s', (name) => {
    const key = read(fileOf('name: a', `key: ${name}`, 'window: 1m', 'limit: 1')).limiters.get('api')![0]!.key;

    expect(key).toBeInstanceOf(Function);
  });

  it('takes the routes of a limiter, and none of one that names none', () => {
    const text =
      tier('limit: 5') +
      "\n    routes: ['POST /login', /api/*]\n  web: { tiers: [{ name: a, key: ip, algorithm: pause }] }";

    const { routes } = read(text);

    expect([...routes].map(([limiter, each]) => [limiter, each.map((route) => route.text)])).toEqual([
      ['api', ['POST /login', '/api/*']],
    ]);
  });

  it.each<[string, string, string]>([
    ['a caller', shared('tenant'), '9:15 tier "hour": fair must be a map: write fair: { by: tenant }'],
    ['the name of a caller', shared('{ by: owner }'), '9:21 tier "hour": fair.by must be one of ip,'],
    [
      'a weight',
      shared('{ by: ip, weight: { otherwise: 0 } }'),
      '9:46 tier "hour": fair.weight.otherwise must be an integer from 1 to 100',
    ],
    [
      'the weight of others',
      shared('{ by: ip, weight: { pro: 2 } }'),
      '9:33 tier "hour": fair.weight.otherwise is missing',
    ],
    ['an option', tier('limit: 5', 'windw: 2h'), '9:9 tier "hour" (sliding-window): windw is not an option here'],
    [
      'a number',
      tier('limit: -5'),
      '8:16 tier "hour": limit must be an integer of at least 0, or null, or such a limit for each plan, got -5',
    ],
    ['text for a number', tier('limit: 1_000'), '8:16 tier "hour": limit must be a number, not text: write 1000'],
    ['text for a number', tier('limit: "100"'), '8:16 tier "hour": limit must be a number, not text: write 100'],
    ['a limit', tier('limit: [5]'), '8:16 tier "hour": limit must be an integer of at least 0, or null'],
    ['a window', tier('limit: 5').replace('1h', '1x'), '7:17 tier "hour" (sliding-window): window must be'],
    ['a key', tier('limit: 5').replace('tenant', 'tennant'), '6:14 tier "hour": key must be one of ip, api-key'],
    ['a function', tier('limit: 5', 'record: x'), '9:17 tier "hour": record is a function of the request'],
    ['a plan', tier('limit: { a: 1, b: 1.5, otherwise: 1 }'), '8:27 tier "hour" (sliding-window): limit must be'],
    ['a plan', tier('limit: { a: x, otherwise: 1 }'), '8:21 tier "hour": limit.a must be an integer of at least 0'],
    ['otherwise', tier('limit: { a: 1 }'), '8:16 tier "hour": limit.otherwise is missing'],
    [
      'a stage',
      tier('limit: 5', 'enforce: 10'),
      '9:18 tier "hour" (sliding-window): enforce must be a string from \'0%\'',
    ],
    ['a name', fileOf('key: ip', 'limit: 5'), '5:9 limiter "api": every tier must have a name'],
    ['a missing option', fileOf('name: a', 'key: ip', 'limit: 5'), '5:9 tier "a" (sliding-window): window is missing'],
    ['a version', 'limiters: {}', '1:1 policies: version is missing: it must be 1'],
    ['a version', 'version: 2', '1:10 policies: version must be 1, the version of this format, got 2'],
    [
      'a name of the file',
      'version: 1\nlimitrs: {}',
      '2:1 policies: limitrs is not an option here: did you mean limiters?',
    ],
    ['no limiters', 'version: 1\nlimiters: []', '2:11 policies: limiters must be a map'],
    ['no tiers', 'version: 1\nlimiters:\n  api: { tiers: [] }', '3:17 limiter "api": tiers must be a list'],
    [
      'an option of a limiter',
      'version: 1\nlimiters:\n  api: { tier: [] }',
      '3:10 limiter "api": tier is not an option',
    ],
    [
      'routes',
      `${tier('limit: 5')}\n    routes: /api/*`,
      '9:13 limiter "api": routes must be a list, of which each is a path such as \'/api/*\', or a method and',
    ],
    [
      'a route',
      `${tier('limit: 5')}\n    routes: [/api, api/*]`,
      '9:20 limiter "api": routes[1] must be a path such as \'/api/*\', or a method and a path such as \'POST /login\', got "api/*"',
    ],
    ['a list', '[]', '1:1 policies: the file must be a map'],
    ['syntax', 'version: 1\nlimiters: {', '2:12 '],
    ['a name twice', 'version: 1\nversion: 1', '2:1 Map keys must be unique'],
    ['a tag', 'version: !!js/function 1', '1:10 Unresolved tag'],
    ['two documents', 'version: 1\n---\nversion: 1', '2:1 Source contains multiple documents'],
  ])('refuses %s, and says where it is', (_what, text, message) => {
    expect(() => read(text)).toThrow(`limits.yaml:${message}`);
  });

  it.each([
    ['7:20 tier "a": algorithm', fileOf('name: a', 'key: tenant', 'algorithm: balance'), '"balance"'],
    ['10:18 tier "hour": notices', tier('algorithm: fixed-window', 'limit: 5', 'notices: [0.9]'), 'an array of 1'],
    ['9:16 tier "hour": usage', tier('limit: 5', 'usage: true'), 'true'],
  ])('says at %s to pass the feature quotas, where openPolicies did not get it', (place, text, got) => {
    expect(() => readDocument<Subject>('limits.yaml', text, { keys, plans })).toThrow(
      `limits.yaml:${place} needs a feature: import { quotas } from '@sluice/quotas', and give openPolicies features: [quotas], got ${got}`,
    );
  });

  it('says at a shared limit to pass the feature fair, where openPolicies got another one alone', () => {
    expect(() =>
      readDocument<Subject>('limits.yaml', shared('{ by: tenant }'), { keys, plans, features: [quotas] }),
    ).toThrow(
      `limits.yaml:9:15 tier "hour": fair needs a feature: import { fair } from '@sluice/overload/fair', and give openPolicies features: [fair], got an object`,
    );
  });

  it('finds the place of an option behind an alias and in a list of windows', () => {
    const lines = [
      'name: a',
      'key: ip',
      'algorithm: multi-window',
      'windows: [{ limit: 1, window: 1s }, { limit: 0, window: 1h }]',
    ];

    expect(() => read(fileOf(...lines))).toThrow('limits.yaml:8:54 tier "a" (multi-window): windows[1].limit');
    expect(() => read('version: 1\nx: &x { tiers: 5 }\nlimiters: { api: *x }')).toThrow(
      'limits.yaml:2:1 policies: x is not',
    );
  });

  it('refuses a tier name that stands twice, and names both places', () => {
    const other = '\n  web: { tiers: [{ name: hour, key: ip, limit: 1, window: 1h }] }';

    expect(() => read(tier('limit: 5') + other)).toThrow(
      'limits.yaml:9:26 tier "hour": name must be unique in a file, and is also at limits.yaml:5:15: rename one',
    );
  });

  it.each([
    ['aliases that multiply', laughs()],
    ['brackets that are nested too deeply', '['.repeat(500_000)],
    ['lists that are nested too deeply', '- '.repeat(250_000)],
    ['__proto__', 'version: 1\n__proto__: { limiters: {} }'],
    ['__proto__ in a tier', tier('limit: 5', '__proto__: { window: 1s }')],
    ['__proto__ as limiters', 'version: 1\nlimiters: { __proto__: { api: 1 } }'],
    ['10 MB', 'a'.repeat(10_000_000)],
    ['control characters', 'version: \u0000'],
  ])('refuses %s with a short error', (_what, text) => {
    const before = process.cpuUsage();
    let message = '';
    try {
      read(text);
    } catch (error) {
      ({ message } = error as Error);
    }

    expect(message).toMatch(/^limits\.yaml[ :]/);
    expect(message.length).toBeLessThan(500);
    // Time of the processor: other programs of the machine take none of it.
    expect(process.cpuUsage(before).user).toBeLessThan(5e6);
    expect(({} as Record<string, unknown>)['limiters']).toBeUndefined();
  });

  it('takes every name of a key for a tool, which has no code', () => {
    const { limiters } = readDocument('limits.yaml', tier('limit: { a: 1, otherwise: 2 }').replace('tenant', 'user'), {
      keys: {},
      plans: undefined,
      takesAnyName: true,
    });

    expect(limiters.size).toBe(1);
  });

  it('doubts no tier beside one that counts in another unit, and names the place of the tier that it doubts', () => {
    const tiers = [
      '{ name: tokens, key: tenant, limit: 100, window: 1m, unit: tokens }',
      '{ name: requests, key: tenant, limit: 50, window: 1h }',
      '{ name: keys, key: api-key, limit: 100, window: 1m }',
    ];

    expect(read(tiersOf(...tiers)).doubts).toEqual([
      'limits.yaml:7:9 tier "keys" counts identities that nothing has verified: add a tier with key: ip beside it',
    ]);
  });

  it('refuses two overrides of one identity in a tier', () => {
    const of = (limit: number) => `- { tier: hour, identity: acme, limit: ${limit}, reason: x }`;
    const text = `${tiersOf('{ name: hour, key: tenant, limit: 5, window: 1h }')}\noverrides:\n  ${of(7)}\n  ${of(9)}\n`;

    expect(() => read(text)).toThrow(
      'limits.yaml:8:5 override: this identity has one in tier "hour" at limits.yaml:7:5: remove one of them',
    );
  });

  it('doubts a tier that can never deny, and presented keys without an address', () => {
    const tiers = [
      '{ name: minute, key: api-key, limit: 100, window: 1m }',
      '{ name: hour, key: api-key, limit: 100, window: 1h }',
    ];

    expect(read(tiersOf(...tiers)).doubts).toEqual([
      'limits.yaml:5:9 tier "minute" can never deny, because "hour" allows no more in a longer window: remove it, or lower its limit',
      'limits.yaml:5:9 tier "minute" counts identities that nothing has verified: add a tier with key: ip beside it',
    ]);
  });
});

/** Nine levels of ten aliases each: a billion values. */
function laughs(): string {
  const levels = Array.from(
    { length: 9 },
    (_, index) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(index ? 10 : 0)}1]`,
  );
  return levels.join('\n');
}
