import { startRedis, type RedisServer } from '../support/redis.js';
import type { Example } from './examples.js';
import { ExampleProcesses } from './example-process.js';

const example: Example = { name: 'decorators', main: 'decorators/dist/main.js' };

describe.each(['memory', 'Redis'])('The example decorators, counting in %s', (place) => {
  const processes = new ExampleProcesses();
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterEach(() => processes.stop());

  afterAll(() => redis.stop());

  it('limits each method separately and keeps its `this`', async () => {
    const started = await processes.start(example, place === 'Redis' ? { REDIS_URL: redis.url } : {});
    const add = () =>
      fetch(`${started.url}/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"note":"Buy tea"}',
      });

    const statuses = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await add()).status);
    const list = await fetch(`${started.url}/notes`);

    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    expect(await list.json()).toEqual(Array.from({ length: 5 }, () => 'Buy tea'));
    expect(list.headers.get('x-ratelimit-remaining')).toBe('99');
    expect(await started.stop('SIGINT')).toBe(0);
    expect(started.errors()).toBe('');
  });
});
