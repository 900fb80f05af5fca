import express, { type Express, type Request } from 'express';
import request from 'supertest';

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

  it('answers a denied request without an ETag, and HEAD with the same length', async () => {
    const handler = jest.fn();
    const app = respond(express().use(limit(1)), handler);
    await request(app).get('/');

    const denied = await request(app)
      .get('/')
      .expect(429)
      .expect('content-type', /^application\/problem\+json/);
    const head = await request(app).head('/').expect(429);

    expect(handler).toHaveBeenCalledTimes(1);
    expect(denied.headers['content-length']).toBe(String(Buffer.byteLength(denied.text)));
    expect(head.headers['content-length']).toBe(denied.headers['content-length']);
    expect(denied.headers).not.toHaveProperty('etag');
    expect(head.text).toBeFalsy();
  });
});

describe('req.rateLimit', () => {
  it('is the decision, which res.locals has too', async () => {
    const app = respond(express().use(limit()), ({ rateLimit: decision, res }) => decision === res?.locals.rateLimit);

    expect(await seenBy(app)).toBe(true);
  });

  it('is an own property of a request, and undefined without a limit', async () => {
    expect(await seenBy(respond(express().use(limit()), (own) => Object.hasOwn(own, 'rateLimit')))).toBe(true);
    expect(await seenBy(respond(express(), (own) => own.rateLimit))).toBe('undefined');
    expect(express.request.rateLimit).toBeUndefined();
  });

  it('is there behind a mounted application, and in an application called by hand', async () => {
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

/** Adds a route that responds with what a function sees of the request. */
function respond(app: Express, see: (seen: Request) => unknown): Express {
  return app.get('/', (seen, response) => void response.json({ seen: see(seen) ?? 'undefined' }));
}

async function seenBy(app: Express): Promise<unknown> {
  const { body } = await request(app).get('/').expect(200);
  return (body as { seen: unknown }).seen;
}
