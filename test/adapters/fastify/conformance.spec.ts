import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { rateLimit, type HookOptions } from '@sluice/fastify';
import { fastify, type FastifyServerOptions } from 'fastify';
import { limitFields, membersOf, statusesOf } from '../express/fields.js';
import { onEachStore } from '../express/kept.js';
import type { Question } from '../express/site.js';
import { paths, remaining, siteOpener } from './site.js';

const served = () => 'served';
const fieldNames = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

describe('The fields on Fastify', () => {
  const open = siteOpener();

  onEachStore((kept) => {
    it('C9 C10 tell of every hook of a route, each in a member of its own', async () => {
      const store = kept.newStore();
      const headers = ['x-ratelimit', 'draft-11'] as const;
      const app = fastify();
      await app.register(rateLimit, { store, headers, name: 'address', limit: 9, window: '1h' });
      const hook = (name: string, limit: number) => app.rateLimit({ name, limit, window: '1m' });
      app.get(
        '/',
        {
          config: { rateLimit: { limit: 3, window: '1h', hook: 'preValidation' } },
          onRequest: hook('first', 5),
          preHandler: [hook('second', 7), hook('third', 8)],
        },
        served,
      );
      const site = await open(app);

      const [answer, , , denied] = await site.askEach([{}, {}, {}, {}]);

      expect(answer!.names.filter((name) => /^ratelimit/i.test(name))).toHaveLength(2);
      const names = ['address', 'GET /', 'third', 'second', 'first'];
      expect(membersOf(answer!, 'ratelimit-policy').map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      expect(membersOf(answer!, 'ratelimit')).toHaveLength(5);
      expect(membersOf(answer!, 'ratelimit').map(({ name, r }) => `${String(name)} ${String(r)}`)).toEqual(
        expect.arrayContaining(['address 8', 'GET / 2', 'third 7', 'second 6', 'first 4']),
      );
      expect(limitFields(answer!)).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '2' });
      expect(denied!.status).toBe(429);
      expect(JSON.parse(denied!.text)).toMatchObject({ 'violated-policies': ['GET /'] });
    });
  });

  it('C18 are never in trailers', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 5, window: '1h' });
    app.get('/', (_request, reply) => {
      reply.trailer('x-checked', async () => 'yes');
      return reply.send(Readable.from(['ser', 'ved']));
    });
    const site = await open(app);

    const answer = await site.ask();

    expect(answer.trailers).toEqual({ 'x-checked': 'yes' });
    expect(answer.headers).toHaveProperty('x-ratelimit-limit');
  });

  it.each<[string, string, number]>([
    ['that is fine', '/200', 200],
    ['without content', '/204', 204],
    ['of what has not changed', '/304', 304],
    ['that is refused', '/403', 403],
    ['of an error that is thrown', '/throw', 500],
    ['of a stream', '/stream', 200],
    ['of a stream that breaks', '/broken', 500],
    ['of a redirection', '/redirect', 302],
    ['of a body that is invalid', '/schema', 400],
    ['that nobody has', '/nowhere', 404],
  ])('C19 are on a response %s', async (_what, path, status) => {
    const app = fastify();
    await app.register(rateLimit, { limit: 5, window: '1h' });
    for (const code of [200, 204, 304, 403]) app.get(`/${code}`, (_request, reply) => reply.code(code).send());
    app.get('/throw', () => {
      throw new Error('broken');
    });
    app.get('/stream', () => Readable.from(['ser', 'ved']));
    app.get('/broken', () => brokenStream());
    app.get('/redirect', (_request, reply) => reply.redirect('/elsewhere'));
    app.get('/schema', { schema: { querystring: { type: 'object', required: ['a'] } } }, served);
    const site = await open(app);

    const answer = await site.ask({ path });

    expect(answer.status).toBe(status);
    expect(Object.keys(limitFields(answer)).toSorted()).toEqual(fieldNames);
  });

  it('C19 are on the head that a handler writes itself, when it copies those of the reply', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 5, window: '1h' });
    app.get('/', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
      reply.raw.end('served');
    });
    const site = await open(app);

    const answer = await site.ask();

    expect(answer.text).toBe('served');
    expect(Object.keys(limitFields(answer)).toSorted()).toEqual(fieldNames);
  });

  it('C29 are the same on a denied HEAD, which has no body', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 1, window: '1h', headers: ['x-ratelimit', 'draft-11'] });
    app.get('/', served);
    const site = await open(app);

    const [, get, head] = await site.askEach([{}, {}, { method: 'HEAD' }]);

    expect(statusesOf([get!, head!])).toEqual([429, 429]);
    expect(head!.text).toBe('');
    expect(Object.keys(limitFields(head!))).toEqual(Object.keys(limitFields(get!)));
    expect(head!.headers['content-type']).toBe(get!.headers['content-type']);
    expect(head!.headers['content-length']).toBe(get!.headers['content-length']);
  });

  it('C33 are for scripts of another origin to read', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 1, window: '1h' });
    app.get('/', (_request, reply) => reply.header('X-Total', '1').send('served'));
    const site = await open(app);
    const asked = { headers: { Origin: 'https://app.example' } };

    const [allowed, denied, same] = await site.askEach([asked, asked, {}]);

    const fields = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    expect(allowed!.headers['access-control-expose-headers']).toBe(fields.join(', '));
    expect(denied!.headers['access-control-expose-headers']).toBe([...fields, 'Retry-After'].join(', '));
    expect(same!.headers).not.toHaveProperty('access-control-expose-headers');
  });
});

describe('A denied request on Fastify', () => {
  const open = siteOpener();

  it('C30 reaches no handler, and has no body parsed', async () => {
    const parsed = jest.fn();
    const handler = jest.fn(served);
    const app = fastify();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
      parsed(body);
      done(null, body);
    });
    await app.register(rateLimit, { limit: 1, window: '1h' });
    app.post('/', handler);
    const site = await open(app);
    const posted = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };

    const answers = await site.askEach([posted, posted, posted]);

    expect(statusesOf(answers)).toEqual([200, 429, 429]);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(parsed).toHaveBeenCalledTimes(1);
  });

  it('C50 comes to no handler by /%zz, which Fastify refuses before it is counted', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 1, window: '1h' });
    const handler = jest.fn(served);
    app.get('/*', handler);
    const site = await open(app);

    const answers = await site.askEach(paths('/a', '/%zz', '/b'));

    expect(statusesOf(answers)).toEqual([200, 400, 429]);
    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe('The client of a request on Fastify', () => {
  const open = siteOpener();
  const options: HookOptions = { limit: 9, window: '1h' };
  const from = (told: string): Question => ({ headers: { 'X-Forwarded-For': told } });

  async function siteWith(trustProxy: FastifyServerOptions['trustProxy'] | number) {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const app = fastify({ trustProxy: trustProxy as boolean });
    await app.register(rateLimit, options);
    app.get('/', served);
    const site = await open(app);
    return { site, restore: () => warned.mockRestore() };
  }

  it.each<[string, FastifyServerOptions['trustProxy'] | number]>([
    ['false', false],
    ['an address that is not the peer', '10.0.0.0/8'],
    ['a number', 1],
  ])('C48 is the peer where trustProxy is %s, whatever it claims', async (_what, trustProxy) => {
    const { site, restore } = await siteWith(trustProxy);

    const answers = await site.askEach([{}, from('6.6.6.6'), from('6.6.6.7, 203.0.113.9'), from('evil'), from('')]);

    restore();
    expect(remaining(answers)).toEqual([8, 7, 6, 5, 4]);
  });

  it.each<[string, FastifyServerOptions['trustProxy']]>([
    ['loopback', 'loopback'],
    ['the address of the peer', '127.0.0.1'],
    ['a network that the peer is in', ['127.0.0.0/8']],
    ['a function that trusts the peer', (address: string) => address === '127.0.0.1'],
  ])('C48 is whom the peer names where trustProxy is %s', async (_what, trustProxy) => {
    const { site, restore } = await siteWith(trustProxy);

    const answers = await site.askEach([
      from('203.0.113.9'),
      from('6.6.6.6, 203.0.113.9'),
      from('6.6.6.7,203.0.113.9'),
      from('203.0.113.10'),
      from('::ffff:203.0.113.9'),
      from('203.0.113.9:51234'),
    ]);

    restore();
    expect(remaining(answers)).toEqual([8, 7, 6, 8, 5, 4]);
  });

  it('C48 is one for all who are named in a way that cannot be read', async () => {
    const { site, restore } = await siteWith('loopback');

    const answers = await site.askEach([from('unknown'), from('garbage<script>'), from('1.2.3'), from('203.0.113.9')]);

    restore();
    expect(remaining(answers)).toEqual([8, 7, 6, 8]);
  });

  it('C49 is one for all on a Unix socket, where no address is told', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-fastify-'));
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const app = fastify();
    await app.register(rateLimit, options);
    app.get('/', served);
    const site = await open(app, join(directory, 'socket'));

    const answers = await site.askEach([{}, {}, from('6.6.6.6')]);

    warned.mockRestore();
    await rm(directory, { recursive: true });
    expect(statusesOf(answers)).toEqual([200, 200, 200]);
    expect(remaining(answers)).toEqual([8, 7, 6]);
  });
});

function brokenStream(): Readable {
  return new Readable({
    read() {
      this.destroy(new Error('broken'));
    },
  });
}
