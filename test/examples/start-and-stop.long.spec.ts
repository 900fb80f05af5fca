import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Api, times } from './api.js';
import { startErrorOf, withProcesses } from './example-process.js';
import { examples } from './examples.js';

describe('The examples', () => {
  const { processes, redis } = withProcesses();

  it('share all limits in one Redis and accept tokens of each other', async () => {
    const environment = { REDIS_URL: `${redis().url}/1`, JWT_SECRET: 'a secret of at least 32 characters' };
    const started = await processes.startAll(examples, environment);
    const apis = started.map((example) => new Api(example));
    const key = { 'x-api-key': 'free-key' };
    const bearer = await apis[0]!.bearer('grace', 'hopper');
    // Sends `counts` requests to the examples, and then one more to each.
    const statuses = async (counts: readonly number[], ask: (api: Api, count: number) => Promise<number[]>) => {
      const found: number[] = [];
      for (const [index, count] of counts.entries()) found.push(...(await ask(apis[index]!, count)));
      for (const api of apis) found.push(...(await ask(api, 1)));
      return found;
    };

    const searches = await statuses([5, 5, 5, 5], (api, count) => api.statuses(count, '/search'));
    const guesses = await statuses([2, 2, 1, 1], (api, count) => api.guesses(count, 'ada'));
    const items = await statuses([1, 1, 1, 2], (api, count) => api.statuses(count, '/items', key));
    const users = await statuses([3, 2, 3, 2], (api, count) => api.statuses(count, '/me', bearer));

    expect(searches).toEqual([...times(20, 200), ...times(4, 429)]);
    expect(guesses).toEqual([...times(6, 401), ...times(4, 429)]);
    expect(items).toEqual([...times(5, 200), ...times(4, 429)]);
    expect(users).toEqual([...times(10, 200), ...times(4, 429)]);
    expect(await Promise.all(started.map((example) => example.stop('SIGINT')))).toEqual(times(4, 0));
    expect(started.map((example) => example.errors())).toEqual(times(4, ''));
  });

  describe.each(examples)('such as $name', (example) => {
    it('answer requests in flight after SIGTERM, and do not wait for idle connections', async () => {
      const started = await processes.start(example);
      const agent = new Agent({ keepAlive: true });
      const reports = times(2, '/report').map((path) => once(get(started.url + path, { agent }), 'response'));
      await new Api(started).get('/health');
      const stoppedAt = performance.now();

      const code = await started.stop('SIGTERM');

      const answers = (await Promise.all(reports)) as [IncomingMessage][];
      agent.destroy();
      expect(code).toBe(0);
      expect(answers.map(([{ statusCode }]) => statusCode)).toEqual([200, 200]);
      expect(performance.now() - stoppedAt).toBeLessThan(4_000);
    });
  });

  describe.each(examples.filter(({ environment }) => !environment))('such as $name', (example) => {
    it('print in one sentence why they cannot start', async () => {
      const other = createServer().listen(0);
      await once(other, 'listening');
      const port = String((other.address() as AddressInfo).port);
      const environments = [
        { PORT: port },
        { PORT: 'high' },
        { REDIS_URL: 'localhost' },
        { REDIS_URL: redis().url, REDIS_DEADLINE: 'soon' },
      ];

      const errors = await Promise.all(environments.map((environment) => startErrorOf(example, environment)));

      other.close();
      expect(errors).toEqual([
        `Port ${port} is in use. Set PORT to a free port: PORT=3001 npm start\n`,
        'PORT must be a number from 0 to 65535, got high.\n',
        expect.stringMatching(/^REDIS_URL is invalid: .*must begin with redis:.*\n$/),
        expect.stringMatching(/^REDIS_DEADLINE is invalid: .*deadline must be a duration.*, got "soon"\.\n$/),
      ]);
    });
  });
});
