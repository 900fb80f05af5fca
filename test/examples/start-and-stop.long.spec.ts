import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { Api, times } from './api.js';
import { startErrorOf, withProcesses } from './example-process.js';
import { examples } from './examples.js';

/** The windows of the examples: counts of an attempt that takes longer are those of two windows. */
const WINDOW_MS = 60_000;
const PATIENT = { NODE_OPTIONS: `--import ${pathToFileURL('test/examples/patient-server.mjs').href}` };
/** A busy machine may take minutes for what takes seconds. Only a process that never ends fails by it. */
const TIMEOUT_MS = 300_000;

describe('The examples', () => {
  const { processes, redis } = withProcesses();

  it(
    'share all limits in one Redis and accept tokens of each other',
    async () => {
      let database = 1;
      let counts = await countIn(database);
      while (counts.took >= WINDOW_MS && database < 15) counts = await countIn((database += 1));

      const { started, searches, guesses, items, users } = counts;
      expect(searches).toEqual([...times(20, 200), ...times(4, 429)]);
      expect(guesses).toEqual([...times(6, 401), ...times(4, 429)]);
      expect(items).toEqual([...times(5, 200), ...times(4, 429)]);
      expect(users).toEqual([...times(10, 200), ...times(4, 429)]);
      expect(await Promise.all(started.map((example) => example.stop('SIGINT')))).toEqual(times(4, 0));
      expect(started.map((example) => example.errors())).toEqual(times(4, ''));
    },
    TIMEOUT_MS,
  );

  /** Starts the examples on a database, and sends what their limits admit, and then more. */
  async function countIn(database: number) {
    const environment = { REDIS_URL: `${redis().url}/${database}`, JWT_SECRET: 'a secret of at least 32 characters' };
    const started = await processes.startAll(examples, environment);
    const apis = started.map((example) => new Api(example));
    const key = { 'x-api-key': 'free-key' };
    // Sends `counts` requests to the examples, and then one more to each.
    const statuses = async (counts: readonly number[], ask: (api: Api, count: number) => Promise<number[]>) => {
      const found: number[] = [];
      for (const [index, count] of counts.entries()) found.push(...(await ask(apis[index]!, count)));
      for (const api of apis) found.push(...(await ask(api, 1)));
      return found;
    };
    const begun = performance.now();
    const bearer = await apis[0]!.bearer('grace', 'hopper');
    const searches = await statuses([5, 5, 5, 5], (api, count) => api.statuses(count, '/search'));
    const guesses = await statuses([2, 2, 1, 1], (api, count) => api.guesses(count, 'ada'));
    const items = await statuses([1, 1, 1, 2], (api, count) => api.statuses(count, '/items', key));
    const users = await statuses([3, 2, 3, 2], (api, count) => api.statuses(count, '/me', bearer));
    return { started, searches, guesses, items, users, took: performance.now() - begun };
  }

  describe.each(examples)('such as $name', (example) => {
    it(
      'answer requests in flight after SIGTERM, and do not wait for idle connections',
      async () => {
        const started = await processes.start(example, PATIENT);
        const agent = new Agent({ keepAlive: true });
        const requests = times(2, '/report').map((path) => get(started.url + path, { agent }));
        const reports = requests.map((request) => once(request, 'response'));
        await Promise.all(requests.map((request) => once(request, 'finish')));
        // The server has read what was sent before.
        await new Api(started).get('/health');

        const code = await started.stop('SIGTERM');

        const answers = (await Promise.all(reports)) as [IncomingMessage][];
        agent.destroy();
        expect(code).toBe(0);
        expect(answers.map(([{ statusCode }]) => statusCode)).toEqual([200, 200]);
      },
      TIMEOUT_MS,
    );
  });

  describe.each(examples.filter(({ environment }) => !environment))('such as $name', (example) => {
    it(
      'print in one sentence why they cannot start',
      async () => {
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
      },
      TIMEOUT_MS,
    );
  });
});
