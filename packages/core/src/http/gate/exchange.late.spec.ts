import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Exchange } from '../../testing/internal/exchange.js';
import { closeServers, serve } from '../../testing/internal/gate-server.js';
import { lateStore } from '../../testing/internal/late-store.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 1, window: '1m' } as const;

afterEach(closeServers);

describe('a response that somebody has begun while the store was asked', () => {
  it('C19 is left as it is where it has ended', async () => {
    const { admission, response, answer } = await asked();

    response.end('timeout');
    answer();

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(response.getHeaderNames()).toEqual([]);
  });

  it('C19 is left as it is where it has ended, also when the request is denied', async () => {
    const { admission, response, answer } = await asked({ cost: 2, limit: () => 1 });

    response.end('timeout');
    answer();

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(response.statusCode).toBe(200);
  });

  it('C19 gets no more headers, and goes on where the request is admitted', async () => {
    const { admission, response, answer } = await asked();

    response.flushHeaders();
    answer();

    await expect(admission).resolves.toMatchObject({ state: 'admitted', decision: { allowed: true } });
    expect(response.getHeaderNames()).toEqual([]);
    expect(response.writableEnded).toBe(false);
  });

  it('C19 is ended where the request is denied', async () => {
    const { admission, response, answer } = await asked({ cost: 2, limit: () => 1 });

    response.flushHeaders();
    answer();

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect([response.getHeaderNames(), response.writableEnded]).toEqual([[], true]);
  });

  it('C19 gets no more headers where the store cannot answer', async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation();
    const { admission, response, answer, store } = await asked();

    response.flushHeaders();
    await store.close();
    answer();

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(response.getHeaderNames()).toEqual([]);
    jest.restoreAllMocks();
  });
});

describe('a client that leaves while the store is asked', () => {
  it('is no error, and has been counted', async () => {
    const { admission, response, answer, limiter, request } = await asked();

    response.destroy();
    answer();

    await expect(admission).resolves.toMatchObject({ state: 'admitted' });
    expect(await limiter.peek(request)).toMatchObject({ allowed: false });
  });
});

/** A request to a real server that a gate has asked its store about. */
async function asked(change: object = {}) {
  const { store, answer } = lateStore();
  const gate = createGate<IncomingMessage>({ ...pages, store, ...change });
  const { request, response } = await begun();
  const admission = Promise.resolve(gate.admit(request, response));
  return { admission, request, response, answer, store, limiter: gate.limiter };
}

/** A request to a real server that nobody has answered. */
async function begun(): Promise<Exchange> {
  let arrived: (exchange: Exchange) => void = () => undefined;
  const arrival = new Promise<Exchange>((resolve) => {
    arrived = resolve;
  });
  const server = await serve([], (request, response: ServerResponse) => arrived({ request, response }));
  // Not all of them are answered.
  server.send().catch(() => undefined);
  return arrival;
}
