import { Api, times } from './api.js';
import { restart } from '../support/restart.js';
import { until } from '../support/until.js';
import { examples } from './examples.js';
import { withProcesses } from './example-process.js';

const SHORT_DEADLINE = { REDIS_DEADLINE: '200ms' };

describe.each(examples)('$name without Redis', (example) => {
  const { processes, redis } = withProcesses();

  it('limits alone, denies logins and logs it once, until Redis is back', async () => {
    const started = await processes.start(example, { ...SHORT_DEADLINE, REDIS_URL: redis().url });
    const api = new Api(started);
    const before = [...(await api.statuses(2, '/search')), (await api.login('ada', 'lovelace')).status];

    redis().process.kill('SIGKILL');
    const during = await api.statuses(21, '/search');
    const login = await api.login('ada', 'lovelace');
    const logged = started.errors();
    await restart(redis());
    await until(async () => (await api.login('ada', 'lovelace')).status === 200);

    expect(before).toEqual([200, 200, 200]);
    // The process starts its own counts at zero.
    expect(during).toEqual([...times(20, 200), 429]);
    expect([login.status, login.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-5]$/)]);
    expect(login.headers.get('ratelimit-policy')).toBeNull();
    expect(logged).toMatch(/^Redis is unavailable, so this process limits alone and denies logins: ./m);
    await until(async () => started.errors().endsWith('Redis is available again.\n'));
    const log = started.errors().match(/limits alone|available again/g)!;
    expect(log.filter((line, index) => line === log[index - 1])).toEqual([]);
    expect(await started.stop('SIGTERM')).toBe(0);
  });

  it('starts and stops', async () => {
    const started = await processes.start(example, { ...SHORT_DEADLINE, REDIS_URL: 'redis://127.0.0.1:1' });
    const api = new Api(started);

    const answer = await api.get('/public');
    const login = await api.login('ada', 'lovelace');

    expect(started.errors()).toMatch(
      /^Redis is unavailable, so this process limits alone and denies logins: .*ECONNREFUSED/,
    );
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '99']);
    expect(login.status).toBe(503);
    expect(await started.stop('SIGTERM')).toBe(0);
  });
});
