import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { rateLimit } from '@sluice/fastify';
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { signal } from '../../support/signal.js';
import { hourly, served } from './application.js';

describe('the plugin for Fastify over HTTP/2', () => {
  let client: ClientHttp2Session;
  let close: () => Promise<void>;

  afterEach(async () => {
    client.close();
    await close();
  });

  /** Opens one connection to an application with this handler. */
  async function open(options: object, handler: (request: FastifyRequest, reply: FastifyReply) => unknown) {
    const app = fastify({ http2: true });
    await app.register(rateLimit, options as ReturnType<typeof hourly>);
    app.all('/', handler as typeof served);
    await app.listen({ port: 0, host: '127.0.0.1' });
    client = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
    close = () => app.close();
  }

  async function send(method = 'GET', { headers: more = {}, body }: { headers?: object; body?: string } = {}) {
    const fields = { ':path': '/', ':method': method, origin: 'https://app.example', ...more };
    const stream = client.request(fields, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
    return { headers, text };
  }

  it('counts each stream of a connection, and sends limits and denials', async () => {
    await open(hourly(2), served);

    const responses = [await send(), await send(), await send(), await send('HEAD')];

    expect(responses.map(({ headers }) => headers[':status'])).toEqual([200, 200, 429, 429]);
    expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['1', '0', '0', '0']);
    expect(responses[2]!.headers['access-control-expose-headers']).toMatch(/Retry-After/);
    expect(JSON.parse(responses[2]!.text)).toMatchObject({ status: 429 });
    expect(responses[3]!.text).toBe('');
  });

  it('C33 counts a preflight with a body, which no header announces', async () => {
    const headers = { 'access-control-request-method': 'PUT', 'content-type': 'text/plain' };
    await open(hourly(1), ({ body }) => ({ body }));

    const preflights = [await send('OPTIONS', { headers }), await send('OPTIONS', { headers })];
    const others = [await send('OPTIONS', { headers, body: 'a' }), await send('OPTIONS', { headers, body: 'b' })];

    expect(preflights.map((each) => each.headers['x-ratelimit-limit'])).toEqual([undefined, undefined]);
    expect(others.map((each) => each.headers[':status'])).toEqual([200, 429]);
  });

  it.each([200, 204, 304, 500])('refunds by the status %d of the response', async (status) => {
    await open(hourly(5, { refundWhen: (answered: number) => [200, status].includes(answered) }), (_request, reply) =>
      reply.code(status).send(status === 204 ? undefined : 'served'),
    );

    const responses = [await send(), await send('HEAD'), await send()];

    expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['4', '4', '4']);
  });

  it('refunds nothing to a client that disconnects before the response', async () => {
    const [entered, left] = [signal(), signal()];
    await open(hourly(5, { refundWhen: () => true }), async (_request, reply) => {
      if (reply.getHeader('x-ratelimit-remaining') !== '4') return 'served';
      reply.raw.once('close', () => left.give());
      entered.give();
      await left.given;
      return 'too late';
    });
    const leaving = client.request({ ':path': '/' });
    await entered.given;
    leaving.close();
    await left.given;

    expect((await send()).headers['x-ratelimit-remaining']).toBe('3');
  });
});
