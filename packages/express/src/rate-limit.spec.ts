import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import express, { type Express, type Request } from 'express';
import request from 'supertest';

import { rawHeaderNames } from '../../../test/support/raw-header-names.js';
import { rateLimit } from './rate-limit.js';

const limit = (units = 5) => rateLimit({ limit: units, window: '1h' });

describe('rateLimit', () => {
  it('limits by the address at entry, even if a function of the application changes it', async () => {
    const forge = async (changed: Request) => {
      changed.headers['x-forwarded-for'] = '198.51.100.9';
      return false;
    };
    const app = respond(
      express()
        .set('trust proxy', 1)
        .use(rateLimit({ limit: 5, window: '1h', skip: forge })),
      ({ rateLimit: decision }) => decision?.binding?.remaining,
    );

    const remaining = [];
    for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.1']) {
      remaining.push((await request(app).get('/').set('X-Forwarded-For', address)).body);
    }

    expect(remaining).toEqual([{ seen: 4 }, { seen: 4 }, { seen: 3 }]);
  });
});

describe('rateLimit without Express', () => {
  it('sets the headers of a denial in lower case', async () => {
    const handler = rateLimit({ name: 'plain', limit: 1, window: '1h' }) as unknown as Plain;
    const names: string[] = [];
    const server = createServer((seen, response) => {
      handler(seen, response, () => response.end('served'));
      names.push(...rawHeaderNames(response));
    });
    await request(server).get('/');
    await request(server).get('/');

    expect(names).toContain('content-length');
    expect(names).toEqual(names.map((name) => name.toLowerCase()));
  });

  it('limits requests of a plain server, and sends denials', async () => {
    const handler = rateLimit({ name: 'plain', limit: 1, window: '1h' }) as unknown as Plain;
    const server = createServer((seen, response) => handler(seen, response, () => response.end('served')));

    const responses = [await request(server).get('/'), await request(server).get('/')];

    expect(responses.map(({ status }) => status)).toEqual([200, 429]);
    expect(responses[1]!.body).toMatchObject({ status: 429 });
  });

  it('runs onDenied with the status set', async () => {
    const onDenied = (_seen: unknown, response: { end: (text: string) => unknown }) => void response.end('slow down');
    const handler = rateLimit({ name: 'plain', limit: 1, window: '1h', onDenied }) as unknown as Plain;
    const server = createServer((seen, response) => handler(seen, response, () => response.end('served')));
    await request(server).get('/');

    expect(await request(server).get('/')).toMatchObject({ status: 429, text: 'slow down' });
  });
});

describe('req.rateLimit', () => {
  it('is an own property of a request, and undefined without a limit', async () => {
    expect(await seenBy(respond(express().use(limit()), (own) => Object.hasOwn(own, 'rateLimit')))).toBe(true);
    expect(await seenBy(respond(express(), (own) => own.rateLimit))).toBe('undefined');
    expect(express.request.rateLimit).toBeUndefined();
  });

  it('is there behind a mounted application, and in an application that a handler calls', async () => {
    const inner = respond(express(), ({ rateLimit: decision }) => decision?.source);
    const mounted = express().use(express().use(limit())).use(inner);
    const outer = express().use(limit(), (own, response) => void inner(own, response));

    expect([await seenBy(mounted), await seenBy(outer)]).toEqual(['memory', 'memory']);
  });

  it('stays when the application replaces res.locals', async () => {
    const app = express().use(limit(), (_request, response, next) => {
      Object.assign(response, { locals: {} });
      next();
    });

    expect(await seenBy(respond(app, ({ rateLimit: decision }) => decision?.source))).toBe('memory');
  });
});

describe('limits with an application that replaces res.locals between them', () => {
  it('know of each other: headers report the one that is closest to denying', async () => {
    const app = express().use(
      rateLimit({ limit: 2, window: '1h', headers: ['x-ratelimit', 'draft-11'], name: 'first' }),
      (_request, response, next) => {
        Object.assign(response, { locals: {} });
        next();
      },
      rateLimit({ limit: 9, window: '1h', headers: ['draft-11'], name: 'second' }),
    );

    const { headers } = await request(respond(app, () => 'served')).get('/');

    expect(headers['x-ratelimit-remaining']).toBe('1');
    expect(headers['ratelimit']).toMatch(/"first".*, "second"/);
  });
});

type Plain = (seen: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** Adds a route that responds with what a function sees of the request. */
function respond(app: Express, see: (seen: Request) => unknown): Express {
  return app.get('/', (seen, response) => void response.json({ seen: see(seen) ?? 'undefined' }));
}

async function seenBy(app: Express): Promise<unknown> {
  const { body } = await request(app).get('/').expect(200);
  return (body as { seen: unknown }).seen;
}
