import type { IncomingMessage } from 'node:http';

import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { exchange } from '../../../../test/support/exchange.js';
import { closeServers, serve } from '../../../../test/support/gate-server.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 2, window: '1m' } as const;
const PREFLIGHT = {
  method: 'OPTIONS',
  headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' },
};
const remainingIn = ({ headers }: Response) => headers.get('x-ratelimit-remaining');
const limitHeadersOf = ({ headers }: Response) => [...headers.keys()].filter((name) => /ratelimit|retry/.test(name));
const fail = () => {
  throw new Error('down');
};

afterEach(closeServers);

describe('createGate', () => {
  it('admits requests up to the limit, by address and with x-ratelimit headers by default', async () => {
    const server = await serve([createGate({ limit: 2, window: '1m' })]);

    const answers = [await server.send(), await server.send(), await server.send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(remainingIn)).toEqual(['1', '0', '0']);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2']);
  });

  it('decides without a promise if nothing has to be awaited', () => {
    const gate = createGate<IncomingMessage>({ ...pages, skip: () => false, cost: () => 1, refundWhen: () => false });

    const admissions = [1, 2, 3].map(() => {
      const { request, response } = exchange();
      return gate.admit(request, response);
    });

    expect(admissions).toMatchObject([{ state: 'admitted' }, { state: 'admitted' }, { state: 'denied' }]);
  });

  it('takes a shared limiter, alone or with options of the gate', async () => {
    const limiter = createLimiter<IncomingMessage>({ ...pages, limit: 3 });
    const server = await serve([createGate({ limiter, headers: ['draft-11'] })]);
    await limiter.consume({} as IncomingMessage);

    const answer = await server.send();
    const { request, response } = exchange();
    await createGate({ limiter }).admit(request, response);

    expect(answer.headers.get('ratelimit')).toMatch(/^"pages";r=1;/);
    expect(response.getHeader('x-ratelimit-remaining')).toBe('0');
    expect(createGate({ limiter }).limiter).toBe(limiter);
  });

  it('passes on `onDenied`, and its own limiter', async () => {
    const onDenied = () => 'answered';
    const gate = createGate<IncomingMessage, typeof onDenied>({ ...pages, onDenied });
    const { request, response } = exchange();
    await gate.admit(request, response);

    await gate.limiter.reset(request);

    expect([gate.onDenied, createGate(pages).onDenied]).toEqual([onDenied, undefined]);
    expect(gate.limiter.peek(request)).toMatchObject({ outcomes: [{ remaining: 2 }] });
  });
});

describe('Gate.decision', () => {
  it('returns the decision of this gate, even if gates share a limiter', async () => {
    const limiter = createLimiter<IncomingMessage>({ ...pages, limit: 9 });
    const [cheap, costly, idle] = [1, 5, 1].map((cost) => createGate({ limiter, cost }));
    const { request, response } = exchange();

    await cheap!.admit(request, response);
    await costly!.admit(request, response);

    const decisions = [cheap, costly, idle].map((gate) => gate!.decision(request));
    expect(decisions.map((decision) => decision?.binding?.remaining)).toEqual([8, 3, undefined]);
    expect(cheap!.decision(exchange().request)).toBeUndefined();
  });
});

describe('Gate, skipped requests', () => {
  it('C33 ignores CORS preflights', async () => {
    const server = await serve([createGate<IncomingMessage>(pages)]);

    const answers = await Promise.all([1, 2, 3, 4].map(() => server.send(PREFLIGHT)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(limitHeadersOf(answers[0]!)).toEqual([]);
    expect(remainingIn(await server.send())).toBe('1');
  });

  it.each<[string, RequestInit]>([
    ['a plain OPTIONS', { method: 'OPTIONS' }],
    ['a GET with the headers of a preflight', { ...PREFLIGHT, method: 'GET' }],
    ['a preflight with a body', { ...PREFLIGHT, body: '{}' }],
  ])('C33 counts %s', async (_case, init) => {
    const server = await serve([createGate<IncomingMessage>(pages)]);

    expect(remainingIn(await server.send(init))).toBe('1');
  });

  it.each<[string, () => unknown]>([
    ['returns true', () => true],
    ['resolves to true', async () => true],
  ])('C43 neither counts nor sends headers if `skip` %s', async (_case, skip) => {
    const store = memoryStore();
    const server = await serve([createGate<IncomingMessage>({ ...pages, store, skip: skip as () => boolean })]);

    const answer = await server.send();

    expect([answer.status, limitHeadersOf(answer), store.size]).toEqual([200, [], 0]);
  });

  it.each<[string, () => unknown]>([
    ['returns undefined', () => undefined],
    ['returns null', () => null],
    ['resolves to false', async () => false],
  ])('C43 counts if `skip` %s', async (_case, skip) => {
    const server = await serve([createGate<IncomingMessage>({ ...pages, skip: skip as () => boolean })]);

    expect(remainingIn(await server.send())).toBe('1');
  });
});

describe('Gate, cost', () => {
  it.each<[string, number | ((request: IncomingMessage) => number | Promise<number>)]>([
    ['a number', 3],
    ['a function of the request', ({ headers }) => Number(headers['x-cost'])],
    ['an async function', async () => 3],
  ])('C15 charges the cost: %s', async (_case, cost) => {
    const server = await serve([createGate<IncomingMessage>({ ...pages, limit: 10, cost })]);

    expect(remainingIn(await server.send({ headers: { 'x-cost': '3' } }))).toBe('7');
  });

  it('C42 reads without charging for a cost of 0', async () => {
    const store = memoryStore();
    const server = await serve([createGate<IncomingMessage>({ ...pages, store, cost: 0 })]);

    const answers = [await server.send(), await server.send()];

    expect(answers.map(remainingIn)).toEqual(['2', '2']);
    expect(store.size).toBe(0);
  });

  it('C42 answers a cost that never fits with 422, without Retry-After and without a charge', async () => {
    const costs = [3, 1].values();
    const server = await serve([createGate<IncomingMessage>({ ...pages, cost: () => costs.next().value! })]);

    const { status, headers } = await server.send();

    expect([status, headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual([422, null, '0']);
    expect(remainingIn(await server.send())).toBe('1');
  });

  it('C43 answers a limit of 0 with 422', async () => {
    const server = await serve([createGate<IncomingMessage>({ ...pages, limit: () => 0, headers: ['draft-11'] })]);

    const { status, headers } = await server.send();

    expect([status, headers.get('retry-after')]).toEqual([422, null]);
    expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual(['"pages";q=0;w=60', '"pages";r=0']);
  });
});

describe('Gate, failing functions', () => {
  it.each<[string, object]>([
    ['skip', { skip: fail }],
    ['skip', { skip: async () => fail() }],
    ['cost', { cost: fail }],
    ['cost', { cost: async () => fail() }],
    ['key', { key: fail }],
    ['limit', { limit: fail }],
  ])('rejects with UsageError, and charges nothing, if %s throws', async (name, change) => {
    const store = memoryStore();
    const gate = createGate<IncomingMessage>({ ...pages, store, ...change });
    const { request, response } = exchange();

    await expect(gate.admit(request, response)).rejects.toMatchObject({
      name: 'UsageError',
      code: 'FUNCTION_FAILED',
      message: expect.stringContaining(`the function ${name} failed`),
      cause: expect.objectContaining({ message: 'down' }),
    });
    expect([store.size, response.getHeaderNames()]).toEqual([0, []]);
  });

  it.each<[unknown, string]>([
    ['false', 'text'],
    [1, 'a number'],
    [fail, 'the function fail'],
    [{}, 'an object'],
  ])('rejects with UsageError, and charges nothing, if `skip` returns or resolves to %p', async (result, got) => {
    const store = memoryStore();
    const gates = [() => result, async () => result].map((skip) =>
      createGate<IncomingMessage>({ ...pages, store, skip: skip as () => boolean }),
    );

    for (const gate of gates) {
      const { request, response } = exchange();
      await expect(gate.admit(request, response)).rejects.toMatchObject({
        name: 'UsageError',
        code: 'FUNCTION_FAILED',
        message: `rateLimit: the function skip must return true or false, got ${got}`,
      });
    }
    expect(store.size).toBe(0);
  });

  it.each([[1.5], [-1], [NaN], ['5'], [null], [undefined]])('rejects with UsageError for the cost %p', async (cost) => {
    const gate = createGate<IncomingMessage>({ ...pages, cost: () => cost as number });
    const { request, response } = exchange();

    await expect(gate.admit(request, response)).rejects.toMatchObject({ name: 'UsageError' });
  });
});
