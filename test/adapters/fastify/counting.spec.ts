import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { byHeader, rateLimit, type RateLimitOptions } from '@sluice/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { limitFields, statusesOf } from '../express/fields.js';
import { paths, remaining, siteOpener } from './site.js';

const served = () => 'served';
const preflight = {
  method: 'OPTIONS',
  headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' },
};

describe('The plugin counts', () => {
  const open = siteOpener();

  async function appWith(options: RateLimitOptions = { limit: 1, window: '1h' }): Promise<FastifyInstance> {
    const app = fastify();
    await app.register(rateLimit, options);
    return app;
  }

  it('requests that no route answers', async () => {
    const site = await open(await appWith());

    const answers = await site.askEach(paths('/nowhere', '/elsewhere'));

    expect(statusesOf(answers)).toEqual([404, 429]);
    expect(remaining(answers)).toEqual([0, 0]);
  });

  it('requests that no route answers, with a handler that the application has set', async () => {
    const app = await appWith();
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'));
    const site = await open(app);

    const answers = await site.askEach(paths('/nowhere', '/elsewhere'));

    expect(statusesOf(answers)).toEqual([404, 429]);
    expect(answers[0]!.text).toBe('nothing here');
  });

  it('requests that no route answers, where the handler was set before it', async () => {
    const app = fastify();
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'));
    await app.register(rateLimit, { limit: 1, window: '1h' });
    const site = await open(app);

    expect(statusesOf(await site.askEach(paths('/nowhere', '/elsewhere')))).toEqual([404, 429]);
  });

  it.each(['preValidation', 'preHandler'] as const)('requests that no route answers, in %s', async (hook) => {
    const site = await open(await appWith({ limit: 1, window: '1h', hook }));

    expect(statusesOf(await site.askEach(paths('/nowhere', '/elsewhere')))).toEqual([404, 429]);
  });

  it('requests that no route of its prefix answers, and no others', async () => {
    const app = fastify();
    app.register(
      async (child) => {
        await child.register(rateLimit, { limit: 1, window: '1h' });
        child.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'));
      },
      { prefix: '/v1' },
    );
    const site = await open(app);

    const answers = await site.askEach(paths('/v1/nowhere', '/elsewhere', '/v1/nowhere', '/elsewhere'));

    expect(statusesOf(answers)).toEqual([404, 404, 429, 404]);
  });

  it('requests that no route answers by a hook of their own', async () => {
    const app = await appWith({ global: false });
    app.setNotFoundHandler({ preHandler: app.rateLimit({ limit: 1, window: '1h' }) }, (_request, reply) =>
      reply.code(404).send('nothing here'),
    );
    app.get('/', served);
    const site = await open(app);

    expect(statusesOf(await site.askEach(paths('/nowhere', '/', '/', '/elsewhere')))).toEqual([404, 200, 200, 429]);
  });

  it('a call of callNotFound once', async () => {
    const app = await appWith({ limit: 2, window: '1h' });
    app.get('/items/:id', (_request, reply) => reply.callNotFound());
    const site = await open(app);

    const answers = await site.askEach(paths('/items/1', '/items/2', '/items/3'));

    expect(statusesOf(answers)).toEqual([404, 404, 429]);
  });

  it('no preflight, and OPTIONS that is none', async () => {
    const app = await appWith();
    app.options('/', served);
    const site = await open(app);

    const answers = await site.askEach([preflight, preflight, { method: 'OPTIONS' }, preflight, { method: 'OPTIONS' }]);

    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 429]);
    expect(limitFields(answers[0]!)).toEqual({});
  });

  it('what a client has used of an address that is answered with an error', async () => {
    const app = await appWith({ limit: 3, window: '1h' });
    app.get('/', () => {
      throw new Error('broken');
    });
    app.post('/', served);
    const site = await open(app);
    const malformed = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' };

    const answers = await site.askEach([{}, malformed, { path: '/?a' }, {}]);

    expect(statusesOf(answers)).toEqual([500, 400, 500, 429]);
    expect(remaining(answers)).toEqual([2, 1, 0, 0]);
  });

  it('no request that Fastify refuses before any hook (/%zz)', async () => {
    const app = await appWith();
    app.get('/', served);
    const site = await open(app);

    const answers = await site.askEach(paths('/%zz', '/%zz', '/'));

    expect(statusesOf(answers)).toEqual([400, 400, 200]);
    expect(answers.map((answer) => 'x-ratelimit-limit' in answer.headers)).toEqual([false, false, true]);
  });

  describe('with @fastify/cors', () => {
    const options: FastifyCorsOptions = { origin: 'https://app.example', exposedHeaders: ['X-Total'] };

    it.each<[string, (app: FastifyInstance) => Promise<unknown>]>([
      [
        'before it',
        async (app) => {
          await app.register(cors, options);
          await app.register(rateLimit, { limit: 1, window: '1h' });
        },
      ],
      [
        'after it',
        async (app) => {
          await app.register(rateLimit, { limit: 1, window: '1h' });
          await app.register(cors, options);
        },
      ],
    ])('%s, no preflight', async (_where, register) => {
      const app = fastify();
      await register(app);
      app.get('/', served);
      const site = await open(app);

      const answers = await site.askEach([preflight, preflight, {}, preflight, {}]);

      expect(statusesOf(answers)).toEqual([204, 204, 200, 204, 429]);
      expect(answers[3]!.headers['access-control-allow-origin']).toBe('https://app.example');
      expect(limitFields(answers[3]!)).toEqual({});
    });

    it('before it, and denials are for scripts to read', async () => {
      const app = fastify();
      await app.register(cors, options);
      await app.register(rateLimit, { limit: 1, window: '1h', key: byHeader('x-tenant') });
      app.get('/', served);
      const site = await open(app);
      const asked = { headers: { Origin: 'https://app.example', 'X-Tenant': 'a' } };

      const [allowed, denied] = await site.askEach([asked, asked]);

      expect(exposedBy(allowed!.headers)).toEqual([
        'X-Total',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
      ]);
      expect(denied!.status).toBe(429);
      expect(denied!.headers['access-control-allow-origin']).toBe('https://app.example');
      expect(exposedBy(denied!.headers)).toContain('Retry-After');
    });

    it('after it, and what it exposes is for scripts to read on what is allowed', async () => {
      const app = fastify();
      await app.register(rateLimit, { limit: 5, window: '1h' });
      await app.register(cors, { origin: 'https://app.example' });
      app.get('/', served);
      const site = await open(app);

      const answer = await site.ask({ headers: { Origin: 'https://app.example' } });

      expect(exposedBy(answer.headers)).toContain('X-RateLimit-Remaining');
    });
  });
});

function exposedBy(headers: Readonly<Record<string, string>>): string[] {
  return (headers['access-control-expose-headers'] ?? '').split(', ');
}
