import express from 'express';
import request from 'supertest';

import { rateLimit } from './rate-limit.js';

function app(limit: number) {
  const handler = jest.fn();
  const limited = express()
    .use(rateLimit({ limit, window: '1h' }))
    .get('/', (asked, response) => {
      handler(asked.rateLimit);
      response.json({ left: response.locals.rateLimit?.binding?.remaining });
    });
  return { limited, handler };
}

describe('rateLimit', () => {
  it('counts requests, tells clients, and hands the decision to the handler', async () => {
    const { limited, handler } = app(5);

    const response = await request(limited).get('/').expect(200, { left: 4 });

    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' });
    expect(handler).toHaveBeenCalledWith(expect.objectContaining({ allowed: true, source: 'memory' }));
  });

  it('counts by the address that a request came with, whatever its functions make of the request', async () => {
    const forge = async (asked: express.Request) => {
      asked.headers['x-forwarded-for'] = '198.51.100.9';
      return false;
    };
    const limited = express()
      .set('trust proxy', 1)
      .use(rateLimit({ limit: 5, window: '1h', skip: forge }))
      .get('/', (asked, response) => void response.json(asked.rateLimit?.binding?.remaining));

    const left = [];
    for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.1']) {
      left.push((await request(limited).get('/').set('X-Forwarded-For', address)).body);
    }

    expect(left).toEqual([4, 4, 3]);
  });

  it('answers what is too much by itself', async () => {
    const { limited, handler } = app(1);
    await request(limited).get('/');

    await request(limited)
      .get('/')
      .expect(429)
      .expect('content-type', /^application\/problem\+json/)
      .expect('retry-after', /^[1-9]\d*$/)
      .expect('cache-control', 'no-store');

    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('says how long its answer is, also to HEAD, and gives what nobody may store no ETag', async () => {
    const { limited } = app(1);
    await request(limited).get('/');

    const denied = await request(limited).get('/').expect(429);
    const head = await request(limited).head('/').expect(429);

    expect(denied.headers['content-length']).toBe(String(Buffer.byteLength(denied.text)));
    expect(head.headers['content-length']).toBe(denied.headers['content-length']);
    expect(denied.headers).not.toHaveProperty('etag');
    expect(head.text).toBeFalsy();
  });
});
