import { setTimeout as delay } from 'node:timers/promises';
import { scan } from '../../packages/cli/src/keys/scan.js';
import { withRedis } from '../support/redis-store.js';

jest.mock('node:timers/promises', () => {
  const timers = jest.requireActual<{ setTimeout: () => unknown }>('node:timers/promises');
  return { ...timers, setTimeout: jest.fn(timers.setTimeout) };
});

const pause = jest.mocked(delay);
const pauseOfNode = pause.getMockImplementation()!;

describe('scan', () => {
  const redis = withRedis();

  it.each([
    [100, 0],
    [20, 40],
    [5, 190],
  ])('spends %d percent of the time: after 10 ms of work it pauses for %d ms', async (rate, milliseconds) => {
    await redis.client.mset(Array.from({ length: 2_000 }, (_, index) => [`rl:${index}`, '1']).flat());
    let now = 0;
    const clock = () => (now += 10);
    pause.mockReset().mockResolvedValue(undefined);
    let found = 0;

    const { signal } = new AbortController();
    for await (const keys of scan(redis.client, { accepts: () => true, rate, signal, clock })) found += keys.length;
    const pauses = pause.mock.calls.map(([each]) => Math.round(each!));
    pause.mockReset().mockImplementation(pauseOfNode);

    expect(found).toBeGreaterThanOrEqual(2_000);
    expect(pauses.length).toBeGreaterThan(2);
    expect(new Set(pauses)).toEqual(new Set([milliseconds]));
  });
});
