import { rateLimit, StoreError, type HookOptions, type Store } from '@sluice/fastify';
import { fastify, type FastifyReply } from 'fastify';
import { limitFields, statusesOf } from '../express/fields.js';
import { denier } from './denying.js';
import { signal } from './signal.js';
import { remaining, siteOpener } from './site.js';

const served = () => 'served';

describe('A denial', () => {
  const open = siteOpener();
  const denying = denier();

  it('is problem details by default', async () => {
    const site = await denying({});

    const { status, reason, headers, text } = await site.ask();

    expect([status, reason]).toEqual([429, 'Too Many Requests']);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'x-ratelimit-remaining': '0',
    });
    expect(JSON.parse(text)).toMatchObject({ status: 429, 'violated-policies': ['hour'] });
  });

  it('is text for clients that accept only text', async () => {
    const site = await denying({});

    const { headers, text } = await site.ask({ headers: { Accept: 'text/plain' } });

    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).not.toMatch(/^\{/);
  });

  it.each<[string, NonNullable<HookOptions['body']>, string, string]>([
    ['a text', 'Slow down.', 'text/plain; charset=utf-8', 'Slow down.'],
    ['an object', { slow: 'down' }, 'application/json; charset=utf-8', '{"slow":"down"}'],
    ['what a function makes', () => ({ slow: 'down' }), 'application/json; charset=utf-8', '{"slow":"down"}'],
    ['what an async function makes', async () => 'Slow.', 'text/plain; charset=utf-8', 'Slow.'],
  ])('has %s for a body', async (_what, body, type, text) => {
    const site = await denying({ body });

    const answer = await site.ask();

    expect(answer).toMatchObject({ status: 429, text });
    expect(answer.headers['content-type']).toBe(type);
  });

  it('goes through the onSend hooks of the application, and not through its serializer', async () => {
    const site = await denying({}, (app) => {
      app.setReplySerializer(() => 'serialized');
      app.addHook('onSend', async (_request, reply) => void reply.header('X-Seen', 'yes'));
    });

    const answer = await site.ask();

    expect(answer.headers['x-seen']).toBe('yes');
    expect(JSON.parse(answer.text)).toMatchObject({ status: 429 });
  });

  it('leaves a reply alone that was sent while the limiter was waiting', async () => {
    const { site, errors } = await answeredMeanwhile((reply) => void reply.send('timeout'));

    expect(await site.ask()).toMatchObject({ status: 200, text: 'timeout' });
    expect(errors).toEqual([]);
  });

  it('leaves a reply alone that was hijacked while the limiter was waiting', async () => {
    const { site, errors } = await answeredMeanwhile((reply) => {
      reply.hijack();
      setImmediate(() => reply.raw.end('hijacked'));
    });

    const answer = await site.ask();

    expect(answer).toMatchObject({ status: 200, text: 'hijacked' });
    expect(limitFields(answer)).toEqual({});
    expect(errors).toEqual([]);
  });

  it('sets no header when the head has gone out, and ends the response', async () => {
    const { site, errors } = await answeredMeanwhile((reply) => {
      reply.raw.writeHead(200);
      reply.raw.write('begun');
    });

    const answer = await site.ask();

    expect(answer).toMatchObject({ status: 200, text: 'begun' });
    expect(limitFields(answer)).toEqual({});
    expect(errors).toEqual([]);
  });

  it('is counted by no limiter that comes after a hook that has answered', async () => {
    const app = fastify();
    app.addHook('onRequest', async (_request, reply) => reply.send('answered'));
    await app.register(rateLimit, { limit: 1, window: '1h' });
    app.get('/', served);
    const site = await open(app);

    const answers = await site.askEach([{}, {}]);

    expect(statusesOf(answers)).toEqual([200, 200]);
    expect(remaining(answers)).toEqual([undefined, undefined]);
  });

  it('is 503 with Retry-After where a store that cannot answer is to deny', async () => {
    const warnings: string[] = [];
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation((text) => void warnings.push(String(text)));
    const store = { consume: () => Promise.reject(new StoreError('STORE_UNAVAILABLE', 'the store is gone')) };
    const app = fastify();
    await app.register(rateLimit, {
      store: store as unknown as Store,
      name: 'hour',
      limit: 1,
      window: '1h',
      onStoreFailure: 'deny',
    });
    app.get('/', served);
    const site = await open(app);

    const answer = await site.ask();

    warned.mockRestore();
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toMatch(/^[1-5]$/);
    expect(warnings).toHaveLength(1);
  });

  /** An app in which somebody answers while a tier of a limit of 0 is being asked for. */
  async function answeredMeanwhile(act: (reply: FastifyReply) => void) {
    const errors: unknown[] = [];
    const [asked, answered] = [signal(), signal()];
    const app = fastify();
    app.addHook('onRequest', (_request, reply, done) => {
      void asked.given.then(() => {
        act(reply);
        answered.give();
      });
      done();
    });
    await app.register(rateLimit, {
      window: '1h',
      key: async () => {
        asked.give();
        await answered.given;
        return 'all';
      },
      limit: () => 0,
    });
    app.setErrorHandler((error) => {
      errors.push(error);
      throw error;
    });
    app.get('/', served);
    return { site: await open(app), errors };
  }
});
