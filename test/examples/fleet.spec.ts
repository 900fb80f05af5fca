import autocannon, { type Result } from 'autocannon';
import { startRedis, type RedisServer } from '../support/redis.js';
import { examples } from './examples.js';
import { Running } from './running.js';

// A window of a minute that begins with the first request: it cannot end while these tests run.
const limit = 100;

const api = examples[0]!;

describe('Two processes of the example under load', () => {
  const running = new Running();
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterEach(() => running.stop());

  afterAll(() => redis.stop());

  it('admit exactly the limit between them', async () => {
    const environment = { REDIS_URL: redis.url };
    const urls = [(await running.start(api, environment)).url, (await running.start(api, environment)).url];

    const loads = await Promise.all(urls.map((url) => load(`${url}/public`)));

    const [one, other] = loads.map((result) => admitted(result));
    expect(one! + other!).toBe(limit);
    expect(new Set(loads.flatMap((result) => statuses(result)))).toEqual(new Set([200, 429]));
    expect(loads.map(({ errors }) => errors)).toEqual([0, 0]);
  });

  it('spend exactly the limit when what one of them is asked costs five times as much', async () => {
    const environment = { REDIS_URL: `${redis.url}/1` };
    const urls = [(await running.start(api, environment)).url, (await running.start(api, environment)).url];

    const [cheap, dear] = await Promise.all([load(`${urls[0]}/public`), load(`${urls[1]}/search`)]);

    expect(admitted(cheap) + 5 * admitted(dear)).toBe(limit);
  });

  it('admit the limit each when they count in memory', async () => {
    const urls = [(await running.start(api)).url, (await running.start(api)).url];

    const loads = await Promise.all(urls.map((url) => load(`${url}/public`)));

    expect(loads.map((result) => admitted(result))).toEqual([limit, limit]);
  });
});

/** More requests than all processes admit together. */
async function load(url: string): Promise<Result> {
  // It looks that often whether all have been answered.
  return autocannon({ url, connections: 25, amount: 3 * limit, sampleInt: 100 });
}

function statuses({ statusCodeStats }: Result): number[] {
  return Object.keys(statusCodeStats ?? {}).map(Number);
}

function admitted({ statusCodeStats }: Result): number {
  return statusCodeStats?.['200']?.count ?? 0;
}
