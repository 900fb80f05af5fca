import express, { type Express, type Request } from 'express';
import request from 'supertest';

import { rateLimit } from './rate-limit.js';

/** Answers what an application sees of its request, in the end. */
function tell(app: Express, see: (asked: Request) => unknown): Express {
  return app.get('/', (asked, response) => void response.json({ seen: see(asked) ?? 'nothing' }));
}

async function seenBy(app: Express): Promise<unknown> {
  const { body } = await request(app).get('/').expect(200);
  return (body as { seen: unknown }).seen;
}

function limit() {
  return rateLimit({ limit: 5, window: '1h' });
}

describe('rateLimit of a request of Express', () => {
  it('is the decision in its locals', async () => {
    const app = tell(express().use(limit()), (asked) => asked.rateLimit === asked.res?.locals.rateLimit);

    expect(await seenBy(app)).toEqual(true);
  });

  it('is nothing where no limit stands, nor of what all requests come from', async () => {
    await request(tell(express().use(limit()), () => 'limited')).get('/');

    const app = tell(express(), (asked) => asked.rateLimit);

    expect(await seenBy(app)).toEqual('nothing');
    expect(express.request.rateLimit).toBeUndefined();
  });

  it('is there behind an application that was mounted, which has counted', async () => {
    const mounted = express().use(limit());
    const app = tell(express().use(mounted), (asked) => asked.rateLimit?.source);

    expect(await seenBy(app)).toEqual('memory');
  });

  it('is there in an application that is called by hand', async () => {
    const inner = tell(express(), (asked) => asked.rateLimit?.source);
    const outer = express().use(limit(), (asked, response) => void inner(asked, response));

    expect(await seenBy(outer)).toEqual('memory');
  });

  it('is there in an application that is mounted on two', async () => {
    const shared = tell(express(), (asked) => asked.rateLimit?.source);
    const one = express().use(limit()).use(shared);
    const other = express().use(limit()).use(shared);

    expect([await seenBy(one), await seenBy(other)]).toEqual(['memory', 'memory']);
  });

  it('is nothing where the application has taken the locals away', async () => {
    const app = express().use(limit(), (_asked, response, next) => {
      Object.assign(response, { locals: null });
      next();
    });

    expect(await seenBy(tell(app, (asked) => asked.rateLimit))).toEqual('nothing');
  });

  it('is what was written last, by whomever', async () => {
    const write = (asked: Request, _response: unknown, next: () => void) => {
      Object.assign(asked, { rateLimit: 'written' });
      next();
    };
    const after = tell(express().use(limit(), write), (asked) => asked.rateLimit);
    const before = tell(express().use(write, limit()), (asked) => asked.rateLimit?.source);

    expect(await seenBy(after)).toEqual('written');
    expect(await seenBy(before)).toEqual('memory');
  });

  it('is its own where an application has something of that name for all of its requests', async () => {
    const app = express();
    Object.defineProperty(app.request, 'rateLimit', { value: 'of all', writable: true });
    tell(app.use(limit()), (asked) => [asked.rateLimit?.source, Object.hasOwn(asked, 'rateLimit')]);

    expect(await seenBy(app)).toEqual(['memory', true]);
  });
});
