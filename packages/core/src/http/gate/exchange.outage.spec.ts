import type { IncomingMessage } from 'node:http';

import { closeServers, serve } from '../../testing/internal/gate-server.js';
import { closedPort } from '../../testing/internal/listener.js';
import { redisStore } from '../../stores/redis/redis-store.js';
import type { Store } from '../../stores/store.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 6, window: '1m', onStoreFailure: 'deny' } as const;
const fieldsOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name.includes('ratelimit'));

let store: Store;
let warn: jest.SpyInstance;

beforeEach(async () => {
  store = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` });
  warn = jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(async () => {
  warn.mockRestore();
  await closeServers();
  await store.close();
});

describe('a store that cannot answer', () => {
  it('C32 C44 is 503 with Retry-After where a limiter is to deny, never 429 and never an admission', async () => {
    const server = await serve([
      createGate<IncomingMessage>({ ...pages, store, headers: ['x-ratelimit', 'draft-11'] }),
    ]);

    const answers = await Promise.all(Array.from({ length: 8 }, () => server.send()));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    for (const answer of answers) {
      const wait = answer.headers.get('retry-after')!;
      const { detail } = (await answer.json()) as { detail: string };
      expect(wait).toMatch(/^[1-5]$/);
      expect(detail).toContain(`Retry in ${wait} second`);
    }
    expect(answers.map(fieldsOf)).toEqual(answers.map(() => []));
  });

  it('C32 is temporary-reduced-capacity, and nothing to be kept', async () => {
    const answer = await (await serve([createGate<IncomingMessage>({ ...pages, store })])).send();

    expect(await answer.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
      status: 503,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('C44 is no denial where a limiter goes on by itself: its share of the limit is told, and 429 is 429', async () => {
    const gate = createGate<IncomingMessage>({ ...pages, store, onStoreFailure: 'local', share: 1 / 3 });
    const server = await serve([gate]);

    const answers = [await server.send(), await server.send(), await server.send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2']);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
  });

  it('C44 is an admission without a word of limits where a limiter is to allow', async () => {
    const gate = createGate<IncomingMessage>({ ...pages, store, onStoreFailure: 'allow', headers: ['draft-11'] });
    const server = await serve([gate]);

    const answers = await Promise.all(Array.from({ length: 8 }, () => server.send()));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.map((answer) => [...fieldsOf(answer), answer.headers.get('retry-after')])).toEqual(
      answers.map(() => [null]),
    );
  });

  it('C32 is 503 when it was closed, whatever a limiter says of failures', async () => {
    const closed = redisStore({ url: 'redis://127.0.0.1:1' });
    await closed.close();
    const server = await serve([createGate<IncomingMessage>({ ...pages, store: closed, onStoreFailure: 'allow' })]);

    const answers = [await server.send(), await server.send()];

    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(answers[0]!.headers.get('retry-after')).toMatch(/^[1-5]$/);
    expect(answers.map(fieldsOf)).toEqual([[], []]);
  });

  it('C27 tells clients nothing of the store', async () => {
    const answer = await (await serve([createGate<IncomingMessage>({ ...pages, store })])).send();

    const text = (await answer.text()) + JSON.stringify([...answer.headers]);
    for (const secret of ['ECONNREFUSED', '127.0.0.1', 'redis', 'Redis', 'ada', '.ts'])
      expect(text).not.toContain(secret);
  });

  it('leaves what other limiters have told, and tells it of no limit of its own', async () => {
    const other = createGate<IncomingMessage>({ ...pages, name: 'other', headers: ['draft-11'] });
    const server = await serve([other, createGate<IncomingMessage>({ ...pages, store, headers: ['draft-11'] })]);

    const { status, headers } = await server.send();

    expect([status, headers.get('ratelimit-policy')]).toEqual([503, '"other";q=6;w=60']);
  });

  it('is told to a body of the application as unavailable', async () => {
    const body = ({ decision }: { decision: { reason: string } }) => decision.reason;

    const answer = await (await serve([createGate<IncomingMessage>({ ...pages, store, body })])).send();

    expect(await answer.text()).toBe('unavailable');
  });

  it('fails no refund: what was counted here is given back here, and nothing is warned of', async () => {
    const gate = createGate<IncomingMessage>({ ...pages, store, onStoreFailure: 'local', refundWhen: () => true });
    const server = await serve([gate]);

    const answers = [await server.send(), await server.send()];

    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['5', '5']);
    const codes = warn.mock.calls.map(([, { code }]) => code);
    expect(codes).not.toContain('SLUICE_REFUND_FAILED');
  });

  it('is no answer to a function that fails, which is an error', async () => {
    const limit = () => {
      throw new Error('down');
    };

    const answer = await (await serve([createGate<IncomingMessage>({ ...pages, store, limit })])).send();

    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('FUNCTION_FAILED')]);
  });
});
