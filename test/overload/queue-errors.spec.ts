import { createServer } from 'node:http';
import { OverloadError } from '@sluice/overload/queues';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { closeServer, listen } from '../support/site.js';

const fail = (): never => {
  throw new OverloadError('database');
};

describe('the error of a queue, which a handler throws', () => {
  const expected = { status: 503, retryAfter: expect.stringMatching(/^[1-5]$/) as string };
  const seen = (response: Response) => ({ status: response.status, retryAfter: response.headers.get('retry-after') });

  it('is answered by Express with 503 and Retry-After', async () => {
    const server = createServer(express().set('env', 'test').get('/', fail));
    const address = (await listen(server)) as { port: number };
    const response = await fetch(`http://127.0.0.1:${address.port}/`);
    await closeServer(server);

    expect(seen(response)).toEqual(expected);
  });

  it('is answered by Fastify with 503 and Retry-After', async () => {
    const app = Fastify();
    app.get('/', async () => fail());
    const { statusCode, headers } = await app.inject('/');

    expect({ status: statusCode, retryAfter: headers['retry-after'] }).toEqual(expected);
  });

  it('is answered by Koa with 503 and Retry-After', async () => {
    const app = new Koa();
    app.silent = true;
    const handle = app.use(fail).callback();
    const server = createServer((request, response) => void handle(request, response));
    const address = (await listen(server)) as { port: number };
    const response = await fetch(`http://127.0.0.1:${address.port}/`);
    await closeServer(server);

    expect(seen(response)).toEqual(expected);
  });

  it('is answered by Hono with 503 and Retry-After', async () => {
    expect(seen(await new Hono().get('/', fail).request('/'))).toEqual(expected);
  });
});
