import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { rateLimit } from '@sluice/fastify';
import { fastify } from 'fastify';
import { signal } from '../../support/signal.js';

describe('the plugin for Fastify over HTTP/2', () => {
  async function ask(client: ClientHttp2Session, method = 'GET') {
    const stream = client.request({ ':path': '/', ':method': method, origin: 'https://app.example' });
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
    return { headers, text };
  }

  it('counts each stream of a connection, and sends limits and denials', async () => {
    const app = fastify({ http2: true });
    await app.register(rateLimit, { limit: 2, window: '1h' });
    app.get('/', () => 'served');
    await app.listen({ port: 0, host: '127.0.0.1' });
    const client = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);

    const responses = [await ask(client), await ask(client), await ask(client), await ask(client, 'HEAD')];

    client.close();
    await app.close();
    expect(responses.map(({ headers }) => headers[':status'])).toEqual([200, 200, 429, 429]);
    expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['1', '0', '0', '0']);
    expect(responses[2]!.headers['access-control-expose-headers']).toMatch(/Retry-After/);
    expect(JSON.parse(responses[2]!.text)).toMatchObject({ status: 429 });
    expect(responses[3]!.text).toBe('');
  });

  it.each([200, 204, 304, 500])('refunds by the status %d of the response', async (status) => {
    const app = fastify({ http2: true });
    await app.register(rateLimit, { limit: 5, window: '1h', refundWhen: (answered) => answered === status });
    app.get('/', (_request, reply) => reply.code(status).send(status === 204 ? undefined : 'served'));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const client = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);

    const responses = [await ask(client), await ask(client, 'HEAD'), await ask(client)];

    client.close();
    await app.close();
    expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['4', '4', '4']);
  });

  it('refunds nothing to a client that disconnects before the response', async () => {
    const [entered, left] = [signal(), signal()];
    const app = fastify({ http2: true });
    await app.register(rateLimit, { limit: 5, window: '1h', refundWhen: () => true });
    app.get('/', async (_request, reply) => {
      if (reply.getHeader('x-ratelimit-remaining') !== '4') return 'served';
      reply.raw.once('close', () => left.give());
      entered.give();
      await left.given;
      return 'too late';
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const client = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
    const leaving = client.request({ ':path': '/' });
    await entered.given;
    leaving.close();
    await left.given;

    const next = await ask(client);

    client.close();
    await app.close();
    expect(next.headers['x-ratelimit-remaining']).toBe('3');
  });
});
