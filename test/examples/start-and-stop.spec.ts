import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRedis, type RedisServer } from '../support/redis.js';
import { Api, times } from './api.js';
import { complaintOf } from './example-process.js';
import { examples } from './examples.js';
import { Running } from './running.js';

describe('Examples', () => {
  const running = new Running();
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterEach(() => running.stop());

  afterAll(() => redis.stop());

  it('share every limit on one Redis, and take the tokens of each other, whatever their framework', async () => {
    const environment = { REDIS_URL: `${redis.url}/1`, JWT_SECRET: 'a secret of at least 32 characters' };
    const started = await running.startAll(examples, environment);
    const apis = started.map((example) => new Api(example));
    const key = { 'x-api-key': 'free-key' };
    const hers = await apis[0]!.bearer('grace', 'hopper');
    // Some at each of them, and then one more at each.
    const statuses = async (counts: readonly number[], ask: (api: Api, count: number) => Promise<number[]>) => {
      const answered: number[] = [];
      for (const [index, count] of counts.entries()) answered.push(...(await ask(apis[index]!, count)));
      for (const api of apis) answered.push(...(await ask(api, 1)));
      return answered;
    };

    const searches = await statuses([5, 5, 5, 5], (api, count) => api.statuses(count, '/search'));
    const guesses = await statuses([2, 1, 1, 1], (api, count) => api.guesses(count, 'ada'));
    const items = await statuses([1, 1, 1, 2], (api, count) => api.statuses(count, '/items', key));
    const users = await statuses([3, 2, 3, 2], (api, count) => api.statuses(count, '/me', hers));

    expect(searches).toEqual([...times(20, 200), ...times(4, 429)]);
    expect(guesses).toEqual([...times(5, 401), ...times(4, 429)]);
    expect(items).toEqual([...times(5, 200), ...times(4, 429)]);
    expect(users).toEqual([...times(10, 200), ...times(4, 429)]);
    expect(await Promise.all(started.map((example) => example.stop('SIGINT')))).toEqual(times(4, 0));
    expect(started.map((example) => example.complaints())).toEqual(times(4, ''));
  });

  describe.each(examples)('such as $name', (example) => {
    it('answer what is under way before they stop at SIGTERM, and are not kept by connections that stay open', async () => {
      const started = await running.start(example);
      const agent = new Agent({ keepAlive: true });
      const reports = times(2, '/report').map((path) => once(get(started.url + path, { agent }), 'response'));
      await new Api(started).get('/health');
      const asked = performance.now();

      const code = await started.stop('SIGTERM');

      const answers = (await Promise.all(reports)) as [IncomingMessage][];
      agent.destroy();
      expect(code).toBe(0);
      expect(answers.map(([{ statusCode }]) => statusCode)).toEqual([200, 200]);
      expect(performance.now() - asked).toBeLessThan(4_000);
    });
  });

  describe.each(examples.filter(({ environment }) => !environment))('such as $name', (example) => {
    it('say in a sentence why they cannot start', async () => {
      const taken = createServer().listen(0);
      await once(taken, 'listening');
      const port = String((taken.address() as AddressInfo).port);
      const environments = [
        { PORT: port },
        { PORT: 'high' },
        { REDIS_URL: 'localhost' },
        { REDIS_URL: redis.url, REDIS_DEADLINE: 'soon' },
      ];

      const complaints = await Promise.all(environments.map((environment) => complaintOf(example, environment)));

      taken.close();
      expect(complaints).toEqual([
        `Port ${port} is taken: set PORT to a free one, as in PORT=3001 npm start.\n`,
        'PORT must be a number from 0 to 65535, got high.\n',
        expect.stringMatching(/^REDIS_URL cannot be used: .*must begin with redis:.*\n$/),
        expect.stringMatching(/^REDIS_DEADLINE cannot be used: .*deadline must be a duration.*, got "soon"\.\n$/),
      ]);
    });
  });
});
