import { startRedis, type RedisServer } from '../support/redis.js';
import { Api, times } from './api.js';
import { restart } from '../adapters/restart.js';
import { until } from '../adapters/until.js';
import { examples } from './examples.js';
import { Running } from './running.js';

const LATE = { REDIS_DEADLINE: '200ms' };

describe.each(examples)('The example $name', (example) => {
  const running = new Running();
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterEach(() => running.stop());

  afterAll(() => redis.stop());

  it('goes on limiting when its Redis is killed, lets nobody log in, says so once, and counts there again', async () => {
    const started = await running.start(example, { ...LATE, REDIS_URL: redis.url });
    const api = new Api(started);
    const before = [...(await api.statuses(2, '/search')), (await api.login('ada', 'lovelace')).status];

    redis.process.kill('SIGKILL');
    const during = await api.statuses(21, '/search');
    const login = await api.login('ada', 'lovelace');
    const said = started.complaints();
    await restart(redis);
    await until(async () => (await api.login('ada', 'lovelace')).status === 200);

    expect(before).toEqual([200, 200, 200]);
    // What this process has counted is its own: it had nothing before.
    expect(during).toEqual([...times(20, 200), 429]);
    expect([login.status, login.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-5]$/)]);
    expect(login.headers.get('ratelimit-policy')).toBeNull();
    expect(said).toMatch(/^This process limits on its own, and lets nobody log in: ./m);
    await until(async () => started.complaints().endsWith('Redis counts again.\n'));
    const log = started.complaints().match(/limits on its own|counts again/g)!;
    expect(log.filter((line, index) => line === log[index - 1])).toEqual([]);
    expect(await started.stop('SIGTERM')).toBe(0);
  });

  it('starts without Redis, and stops', async () => {
    const started = await running.start(example, { ...LATE, REDIS_URL: 'redis://127.0.0.1:1' });
    const api = new Api(started);

    const answer = await api.get('/public');
    const login = await api.login('ada', 'lovelace');

    expect(started.complaints()).toMatch(/^This process limits on its own, and lets nobody log in: .*ECONNREFUSED/);
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '99']);
    expect(login.status).toBe(503);
    expect(await started.stop('SIGTERM')).toBe(0);
  });
});
