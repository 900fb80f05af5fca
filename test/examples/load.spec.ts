import autocannon, { type Result } from 'autocannon';
import { Redis } from 'ioredis';
import { examples } from './examples.js';
import { withProcesses } from './example-process.js';

// The window of a minute starts with the first request and outlasts each test.
const LIMIT = 100;

const api = examples[0]!;

describe('Two processes of an example under load', () => {
  const { processes, redis } = withProcesses();

  it('admit exactly the limit together with Redis, also when requests to one of them cost five units', async () => {
    const environment = { REDIS_URL: redis().url };
    const urls = [(await processes.start(api, environment)).url, (await processes.start(api, environment)).url];

    const loads = await Promise.all(urls.map((url) => load(`${url}/public`)));

    const [one, other] = loads.map((result) => admitted(result));
    expect(one! + other!).toBe(LIMIT);
    expect(new Set(loads.flatMap((result) => statuses(result)))).toEqual(new Set([200, 429]));
    expect(loads.map(({ errors }) => errors)).toEqual([0, 0]);

    // Without the variables of an operator.
    const closed = await Promise.all(['/metrics', '/sluice/'].map((path) => fetch(urls[0] + path)));
    const admin = new Redis(redis().port);
    await admin.flushall();
    admin.disconnect();
    const [cheap, costly] = await Promise.all([load(`${urls[0]}/public`), load(`${urls[1]}/search`)]);

    expect(closed.map(({ status }) => status)).toEqual([404, 404]);
    expect(admitted(cheap) + 5 * admitted(costly)).toBe(LIMIT);
  });
});

/** Sends more requests than all processes together admit. */
async function load(url: string): Promise<Result> {
  // `sampleInt` is how often autocannon checks whether it has finished.
  return autocannon({ url, connections: 25, amount: 3 * LIMIT, sampleInt: 100 });
}

function statuses({ statusCodeStats }: Result): number[] {
  return Object.keys(statusCodeStats ?? {}).map(Number);
}

function admitted({ statusCodeStats }: Result): number {
  return statusCodeStats?.['200']?.count ?? 0;
}
