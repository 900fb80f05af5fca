import type { IncomingMessage } from 'node:http';

import { exchange } from '../../testing/internal/exchange.js';
import { closeServers, serve } from '../../testing/internal/gate-server.js';
import { createLimiter } from '../../limiter/limiter.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { createGate } from './gate.js';

const minute = { limit: 2, window: '1m' } as const;
const pages = { ...minute, name: 'pages', key: () => 'ada' } as const;

afterEach(closeServers);

describe('a gate', () => {
  it('admits what fits and denies the rest, by the address where nothing else is said', async () => {
    const server = await serve([createGate(minute)]);

    const answers = [await server.send(), await server.send(), await server.send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(await answers[0]!.text()).toBe('welcome');
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2']);
  });

  it('decides at once, without a promise, where nothing has to be waited for', () => {
    const gate = createGate<IncomingMessage>({ ...pages, skip: () => false, cost: () => 1, refundWhen: () => false });

    const admissions = [1, 2, 3].map(() => {
      const { request, response } = exchange();
      return gate.admit(request, response);
    });

    expect(admissions).toMatchObject([{ state: 'admitted' }, { state: 'admitted' }, { state: 'denied' }]);
    expect(admissions.some((admission) => admission instanceof Promise)).toBe(false);
  });

  it('takes a limiter that others use too, alone or beside its own options', async () => {
    const limiter = createLimiter<IncomingMessage>({ ...pages, limit: 3 });
    const server = await serve([createGate({ limiter, headers: ['draft-11'] })]);
    await limiter.consume({} as IncomingMessage);

    const told = await server.send();
    const { request, response } = exchange();
    await createGate(limiter).admit(request, response);

    expect(told.headers.get('ratelimit')).toMatch(/^"pages";r=1;/);
    expect(response.getHeader('x-ratelimit-remaining')).toBe('0');
  });

  it('has the limiter that it was given, or has made', async () => {
    const limiter = createLimiter<IncomingMessage>(pages);
    const own = createGate<IncomingMessage>(pages);
    const { request, response } = exchange();
    await own.admit(request, response);

    await own.limiter.reset(request);

    expect(createGate(limiter).limiter).toBe(limiter);
    expect(own.limiter.peek(request)).toMatchObject({ outcomes: [{ remaining: 2 }] });
  });

  it('knows what it has decided about a request, and what it has not', async () => {
    const [gate, other] = [createGate<IncomingMessage>(pages), createGate<IncomingMessage>(pages)];
    const { request, response } = exchange();

    await gate.admit(request, response);

    expect(gate.decision(request)).toMatchObject({ allowed: true, outcomes: [{ tier: 'pages', remaining: 1 }] });
    expect(other.decision(request)).toBeUndefined();
    expect(gate.decision(exchange().request)).toBeUndefined();
  });

  it('knows its own decision where two gates share a limiter', async () => {
    const limiter = createLimiter<IncomingMessage>({ ...pages, limit: 9 });
    const [cheap, dear] = [createGate({ limiter, cost: 1 }), createGate({ limiter, cost: 5 })];
    const { request, response } = exchange();

    await cheap.admit(request, response);
    await dear.admit(request, response);

    expect([cheap, dear].map((gate) => gate.decision(request)?.binding?.remaining)).toEqual([8, 3]);
  });

  it('hands over what answers a denial instead', () => {
    const onDenied = () => 'answered';

    expect(createGate<IncomingMessage, typeof onDenied>({ ...minute, onDenied }).onDenied).toBe(onDenied);
    expect(createGate(minute).onDenied).toBeUndefined();
  });
});

describe('the cost of a request', () => {
  it('C15 is what the function says, of each request', async () => {
    const cost = ({ headers }: IncomingMessage) => Number(headers['x-cost']);
    const server = await serve([createGate<IncomingMessage>({ ...pages, limit: 10, cost })]);

    const answers = [
      await server.send({ headers: { 'x-cost': '3' } }),
      await server.send({ headers: { 'x-cost': '4' } }),
    ];

    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['7', '3']);
  });

  it('is what the function says later, or the number that is given', async () => {
    const later = await serve([createGate<IncomingMessage>({ ...pages, limit: 10, cost: async () => 3 })]);
    const always = await serve([createGate<IncomingMessage>({ ...pages, limit: 10, cost: 4 })]);

    expect((await later.send()).headers.get('x-ratelimit-remaining')).toBe('7');
    expect((await always.send()).headers.get('x-ratelimit-remaining')).toBe('6');
  });

  it('C42 of 0 reads without charging, and tells what is there', async () => {
    const store = memoryStore();
    const server = await serve([createGate<IncomingMessage>({ ...pages, store, cost: 0 })]);

    const answers = [await server.send(), await server.send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['2', '2']);
    expect(store.size).toBe(0);
  });

  it('C42 answers a cost that can never fit with 422, without Retry-After, and charges nothing', async () => {
    const costs = [3, 1].values();
    const server = await serve([createGate<IncomingMessage>({ ...pages, cost: () => costs.next().value! })]);

    const never = await server.send();

    expect(never.status).toBe(422);
    expect(never.headers.has('retry-after')).toBe(false);
    expect(never.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await server.send()).headers.get('x-ratelimit-remaining')).toBe('1');
  });

  it('C43 answers a limit of 0 with 422: waiting does not help', async () => {
    const server = await serve([createGate<IncomingMessage>({ ...pages, limit: () => 0, headers: ['draft-11'] })]);

    const answer = await server.send();

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([422, null]);
    expect(answer.headers.get('ratelimit-policy')).toBe('"pages";q=0;w=60');
    expect(answer.headers.get('ratelimit')).toBe('"pages";r=0');
  });
});
