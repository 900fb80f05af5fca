import { byApiKey, byIp, createLimiter, memoryStore, type HttpRequest, type Store } from '@sluice/http';
import { fakeClock } from '@sluice/testing';
import { Random } from '../properties/twin/random.js';
import { limitFields } from '../support/responses.js';
import type { TestRequest, TestResponse } from '../support/site.js';
import type { Call, Definition, Limit, Stack } from './stack.js';
import { stacks } from './stacks/index.js';
import { openSite } from './world.js';

/** A request, and milliseconds that pass before it. */
interface Step extends TestRequest {
  readonly path: string;
  readonly after: number;
}

const SEEDS = [1];
const LENGTH = 100;

const [first, ...others] = stacks;

describe('random requests to every stack', () => {
  const expected = new Map<number, readonly object[]>();

  beforeAll(async () => {
    // Warnings have specs of their own.
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    for (const seed of SEEDS) expected.set(seed, await play(first, stepsOf(seed)));
  });

  afterAll(() => jest.restoreAllMocks());

  it('produce every status, media type and route', () => {
    const all = JSON.stringify([...expected.values()]);
    const texts = [
      ...[200, 422, 429, 500].map((status) => `"status":${status}`),
      ...paths.map((path) => `"path":"${path}","denied":true`),
      ...['application/problem+json', 'application/json', 'text/plain'].map((type) => `"contentType":"${type}`),
    ];

    expect(texts.filter((text) => !all.includes(text))).toEqual([]);
  });

  describe.each(others.map((stack) => ({ name: stack.name, stack })))('on $name', ({ stack }) => {
    it.each(SEEDS)(`get the statuses, headers and bodies of ${first.name}, with seed %d`, async (seed) => {
      expect(await play(stack, stepsOf(seed))).toEqual(expected.get(seed));
    });
  });
});

// For each limit, because limits of routes inherit the headers of the level above on Fastify and Nest.
const plain = { headers: ['x-ratelimit'] } as const;
const drafts = { headers: ['x-ratelimit', 'draft-11'] } as const;
const costOf = ({ headers }: HttpRequest) => Number(headers?.['x-cost'] ?? 1);
/** A limit that no stack decides together with others. */
const alone = { skip: ({ headers }: HttpRequest) => headers?.['x-inside'] === 'yes' };

/** Limits by the paths of their routes: every algorithm, dialect and kind of body. */
const limits: Readonly<Record<string, readonly Limit[]>> = {
  '/fixed-window': [{ ...plain, name: 'fixed', algorithm: 'fixed-window', limit: 3, window: '1m' }],
  '/sliding-window': [{ name: 'sliding', limit: 2, window: '1m', headers: ['draft-7'] }],
  '/log': [
    { name: 'log', algorithm: 'sliding-window-log', limit: 3, window: '1m', headers: ['draft-6'], cost: costOf },
  ],
  '/token-bucket': [{ name: 'bucket', algorithm: 'token-bucket', limit: 4, window: '1m', burst: 2, ...drafts }],
  // A place each millisecond: while the clock of the store stands still, no request waits long.
  '/queue': [
    { ...plain, name: 'queue', algorithm: 'leaky-bucket', limit: 1_000, window: '1s', queue: 2, cost: costOf },
  ],
  '/multi-window': [
    {
      name: 'windows',
      algorithm: 'multi-window',
      windows: [
        { limit: 2, window: '10s' },
        { limit: 5, window: '1m' },
      ],
      ...drafts,
    },
  ],
  '/tiers': [
    {
      ...drafts,
      cost: costOf,
      tiers: [
        { name: 'of-key', key: byApiKey(), limit: 3, window: '1m' },
        { name: 'of-address', limit: 8, window: '1h', algorithm: 'fixed-window' },
        { name: 'tried', limit: 1, window: '1d', mode: 'shadow' },
      ],
    },
  ],
  '/plans': [
    {
      ...plain,
      tiers: ({ headers }) => (headers?.['x-api-key'] === undefined ? plans.free : plans.paid),
      body: ({ decision }) => ({ by: decision.deniedBy }),
    },
  ],
  '/two': [
    { ...alone, ...drafts, name: 'outer', limit: 3, window: '1m', body: 'slow down' },
    { ...alone, ...plain, name: 'inner', limit: 1, window: '2s', body: async () => ({ slow: 'down' }) },
  ],
  '/quiet': [{ name: 'quiet', limit: 2, window: '1m', headers: [] }],
};
const plans = {
  free: [{ name: 'free', limit: 1, window: '1m' }],
  paid: [{ name: 'paid', key: byApiKey(), limit: 2, window: '1m' }],
} as const;
const paths = [...Object.keys(limits), '/shared/one', '/shared/other'];

function definitionOf(store: Store): Definition {
  const shared = createLimiter<HttpRequest>({ store, name: 'shared', limit: 4, window: '1m', key: byIp() });
  const handle = ({ decision }: Call) => ({ status: 200, text: JSON.stringify(decision ?? 'no decision') });
  return {
    store,
    everywhere: { ...alone, name: 'everywhere', limit: 30, window: '1m', headers: ['draft-11'] },
    routes: [
      ...Object.entries(limits).map(([path, each]) => ({ path, limits: each, handle })),
      { path: '/shared/one', limits: [{ ...plain, limiter: shared }], handle },
      { path: '/shared/other', limits: [{ limiter: shared, ...drafts }], handle },
    ],
  };
}

/** Random requests at random times. */
function stepsOf(seed: number): readonly Step[] {
  const random = new Random(seed);
  return Array.from({ length: LENGTH }, () => ({
    after: random.chance(0.3) ? random.integer(1, 15_000) : 0,
    path: random.pick(paths),
    method: random.chance(0.15) ? 'HEAD' : 'GET',
    from: random.pick(['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1']),
    headers: {
      ...(random.chance(0.3) && { 'X-Api-Key': random.pick(['one', 'other']) }),
      ...(random.chance(0.3) && { 'X-Cost': random.pick(['0', '1', '2', '9', 'nonsense']) }),
      ...(random.chance(0.3) && {
        Accept: random.pick(['text/plain', 'application/json', 'text/html', 'image/png;q=0']),
      }),
      ...(random.chance(0.2) && { Origin: 'https://a.example' }),
      ...(random.chance(0.05) && { 'X-Inside': 'yes' }),
    },
  }));
}

/** What the clients of a stack see, on a clock that stands still between steps. */
async function play(stack: Stack, steps: readonly Step[]): Promise<readonly object[]> {
  const clock = fakeClock();
  const now = jest.spyOn(Date, 'now').mockImplementation(clock);
  const site = await openSite(stack, definitionOf(memoryStore({ clock })));
  const seen: object[] = [];
  for (const { after, ...request } of steps) {
    clock.advance(after);
    seen.push(seenOf(request, await site.send(request)));
  }
  await site.close();
  now.mockRestore();
  return seen;
}

function seenOf({ path, method }: TestRequest, response: TestResponse): object {
  const { status, reason, headers, text } = response;
  const denied = [422, 429, 503].includes(status);
  return {
    path,
    ...(denied && { denied, contentType: headers['content-type'] }),
    method,
    status,
    reason,
    fields: limitFields(response),
    cacheControl: headers['cache-control'],
    exposed: headers['access-control-expose-headers'],
    // Each framework renders errors its own way.
    text: status === 500 ? undefined : text,
  };
}
