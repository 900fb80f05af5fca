import { inspect } from 'node:util';
import { rateLimit } from '@sluice/express';
import { siteOpener } from '../support/site.js';
import { until } from '../support/until.js';
import { build, hourly, served } from './fastify/application.js';
import { versions } from './stacks/express.js';

/** Reads a body that no parser has read. */
const key = (request: object) => (request as { body: { user: string } }).body.user;
const FULL =
  /: the function key failed: Cannot read properties of undefined \(reading 'user'\)\. The request has no body yet: run the limit after the body parser/;

describe('a key function that reads a body before it is parsed', () => {
  const open = siteOpener();

  it.each(versions)(
    'fails with its cause in the log of %s, and nothing of it in the response',
    async (_name, express) => {
      const logged = jest.spyOn(console, 'error').mockReturnValue();
      const app = express()
        .set('env', 'production')
        .use(rateLimit({ ...hourly(1), key }));
      const site = await open(app);

      const { status, text } = await site.send();

      // Express logs after it has sent the response.
      await until(() => logged.mock.calls.length === 1);
      expect(inspect(logged.mock.calls[0]![0])).toMatch(FULL);
      logged.mockRestore();
      expect([status, text]).toEqual([500, expect.stringContaining('<pre>Internal Server Error</pre>')]);
    },
  );

  it.each(['plugin', 'route', 'body'])(
    'fails with its cause in the log of Fastify, and nothing of it in the response: %s',
    async (place) => {
      const lines: string[] = [];
      const server = { logger: { stream: { write: (line: string) => lines.push(line) } } };
      const body = ({ request }: { request: object }) => key(request);
      const app = await build({
        server,
        options: place === 'plugin' ? hourly(1, { key }) : hourly(1, place === 'body' ? { body } : {}),
      });
      const config = place === 'route' ? { rateLimit: hourly(1, { key }) } : {};
      app.get('/', { config }, served);
      const site = await open(app);

      const responses = await site.sendTimes(place === 'body' ? 2 : 1);

      expect(JSON.parse(responses.at(-1)!.text)).toEqual({
        statusCode: 500,
        code: 'FUNCTION_FAILED',
        error: 'Internal Server Error',
        message: 'Internal Server Error',
      });
      expect(lines.join('')).toMatch(
        /the function (?:key|body) failed: Cannot read properties of undefined \(reading 'user'\)/,
      );
    },
  );

  it('reaches the error handler of Fastify as the cause of a general error', async () => {
    const errors: Error[] = [];
    const app = await build({
      before: (each) => each.setErrorHandler((error: Error) => errors.push(error)),
      options: hourly(1, { key }),
    });
    app.get('/', served);

    await app.inject('/');

    expect(errors).toEqual([expect.objectContaining({ name: 'UsageError', code: 'FUNCTION_FAILED' })]);
    expect(errors[0]!.cause).toMatchObject({ name: 'UsageError', message: expect.stringMatching(FULL) });
    await app.close();
  });
});
