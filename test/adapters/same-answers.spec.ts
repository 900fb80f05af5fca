import { byApiKey, byIp, createLimiter, memoryStore, type HttpRequest, type Store } from '@sluice/core';
import { fakeClock } from '@sluice/core/testing';
import { limitFields } from './express/fields.js';
import type { Answer } from './express/site.js';
import { Random } from '../properties/twin/random.js';
import type { Adapter, Definition, Limit, Visit } from './adapter.js';
import { adapters } from './adapters.js';
import { openSite, type Question } from './site.js';

/** A question, and milliseconds that pass before it. */
interface Step extends Question {
  readonly after: number;
}

const SEEDS = [1, 2, 3];
const LENGTH = 250;

const [first, ...others] = adapters;

describe('The same requests have the same statuses, headers and bodies as on Express 5', () => {
  const expected = new Map<number, readonly object[]>();

  beforeAll(async () => {
    // What is warned of has specs of its own.
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    for (const seed of SEEDS) expected.set(seed, await play(first, stepsOf(seed)));
  });

  afterAll(() => jest.restoreAllMocks());

  it('in which there is something of everything', () => {
    const all = JSON.stringify([...expected.values()]);
    const expectedTexts = [
      ...[200, 422, 429, 500].map((status) => `"status":${status}`),
      ...paths.map((path) => `"path":"${path}","denied":true`),
      ...['application/problem+json', 'application/json', 'text/plain'].map((type) => `"contentType":"${type}`),
    ];

    expect(expectedTexts.filter((text) => !all.includes(text))).toEqual([]);
  });

  describe.each(others.map((adapter) => ({ name: adapter.name, adapter })))('on $name', ({ adapter }) => {
    it.each(SEEDS)('with seed %d', async (seed) => {
      const told = await play(adapter, stepsOf(seed));

      expect(told).toEqual(expected.get(seed));
    });
  });
});

// Said of each limit, for those of routes have the headers of what stands above them on Fastify and Nest.
const plain = { headers: ['x-ratelimit'] } as const;
const drafts = { headers: ['x-ratelimit', 'draft-11'] } as const;
const costOf = ({ headers }: HttpRequest) => Number(headers?.['x-cost'] ?? 1);
/** A limit that is not decided together with others. */
const alone = { skip: ({ headers }: HttpRequest) => headers?.['x-inside'] === 'yes' };

/** Limits by the paths of their routes: each algorithm, dialect and way to say a body. */
const limits: Readonly<Record<string, readonly Limit[]>> = {
  '/fixed-window': [{ ...plain, name: 'fixed', algorithm: 'fixed-window', limit: 3, window: '1m' }],
  '/sliding-window': [{ name: 'sliding', limit: 3, window: '1m', headers: ['draft-7'] }],
  '/log': [
    { name: 'log', algorithm: 'sliding-window-log', limit: 3, window: '1m', headers: ['draft-6'], cost: costOf },
  ],
  '/token-bucket': [{ name: 'bucket', algorithm: 'token-bucket', limit: 4, window: '1m', burst: 2, ...drafts }],
  // A millisecond a turn: while nothing passes on the clock of the store, nobody waits long.
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
  const handle = ({ decision }: Visit) => ({ status: 200, text: JSON.stringify(decision ?? 'no decision') });
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

/** Visitors and moments, by chance. */
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

/** What the clients of an adapter are told, on a clock that stands still between steps. */
async function play(adapter: Adapter, steps: readonly Step[]): Promise<readonly object[]> {
  const clock = fakeClock();
  const now = jest.spyOn(Date, 'now').mockImplementation(clock);
  const site = await openSite(adapter, definitionOf(memoryStore({ clock })));
  const told: object[] = [];
  for (const { after, ...question } of steps) {
    clock.advance(after);
    told.push(toldBy(question, await site.ask(question)));
  }
  await site.close();
  now.mockRestore();
  return told;
}

function toldBy({ path, method }: Question, answer: Answer): object {
  const { status, reason, headers, text } = answer;
  const denied = [422, 429, 503].includes(status);
  return {
    path,
    ...(denied && { denied, contentType: headers['content-type'] }),
    method,
    status,
    reason,
    fields: limitFields(answer),
    cacheControl: headers['cache-control'],
    exposed: headers['access-control-expose-headers'],
    // An error that is no denial is told as each framework tells errors.
    text: status === 500 ? undefined : text,
  };
}
