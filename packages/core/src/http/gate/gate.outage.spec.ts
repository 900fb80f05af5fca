import type { IncomingMessage } from 'node:http';

import { redisStore } from '../../stores/redis/redis-store.js';
import type { Store } from '../../stores/store.js';
import { closeServers, serve } from '../../../../../test/support/gate-server.js';
import { closedPort } from '../../../../../test/support/listener.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 6, window: '1m', onStoreFailure: 'deny' } as const;
const limitHeadersOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name.includes('ratelimit'));

let store: Store;
let warn: jest.SpyInstance;

beforeEach(async () => {
  store = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` }, { connectDeadline: 50 });
  warn = jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(async () => {
  warn.mockRestore();
  await closeServers();
  await store.close();
});

const serverWith = (change: object = {}) => serve([createGate<IncomingMessage>({ ...pages, store, ...change })]);

describe('Gate, store unavailable', () => {
  it('C32 C44 answers 503 with Retry-After and without limit headers for onStoreFailure deny', async () => {
    const server = await serverWith({ headers: ['x-ratelimit', 'draft-11'] });

    const answers = await Promise.all([1, 2, 3, 4].map(() => server.send()));

    for (const answer of answers) {
      const { status, headers } = answer;
      const problem = (await answer.json()) as object;
      expect([status, headers.get('cache-control'), limitHeadersOf(answer)]).toEqual([503, 'no-store', []]);
      expect(headers.get('retry-after')).toMatch(/^[1-5]$/);
      expect(problem).toMatchObject({
        type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
        status: 503,
        detail: expect.stringContaining(`Retry in ${headers.get('retry-after')} second`),
      });
    }
  });

  it('C44 reports the local share of the limit for onStoreFailure local, and answers 429 above it', async () => {
    const server = await serverWith({ onStoreFailure: 'local', share: 1 / 3 });

    const answers = [await server.send(), await server.send(), await server.send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['2', '2', '2']);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
  });

  it('C44 admits without limit headers for onStoreFailure allow', async () => {
    const server = await serverWith({ onStoreFailure: 'allow', headers: ['draft-11'] });

    const answers = await Promise.all(Array.from({ length: 8 }, () => server.send()));

    for (const answer of answers) {
      expect([answer.status, limitHeadersOf(answer), answer.headers.get('retry-after')]).toEqual([200, [], null]);
    }
  });

  it('C32 answers 503 for a closed store, whatever onStoreFailure says', async () => {
    const closed = redisStore({ url: 'redis://127.0.0.1:1' }, { connectDeadline: 50 });
    await closed.close();
    const server = await serverWith({ store: closed, onStoreFailure: 'allow' });

    const answers = [await server.send(), await server.send()];

    expect(answers.map((answer) => [answer.status, limitHeadersOf(answer)])).toEqual([
      [503, []],
      [503, []],
    ]);
    expect(answers[0]!.headers.get('retry-after')).toMatch(/^[1-5]$/);
  });

  it('C27 tells clients nothing about the store', async () => {
    const answer = await (await serverWith()).send();

    const text = (await answer.text()) + JSON.stringify([...answer.headers]);
    for (const secret of ['ECONNREFUSED', '127.0.0.1', 'redis', 'Redis', 'ada', '.ts'])
      expect(text).not.toContain(secret);
  });

  it('keeps the headers of other limiters', async () => {
    const other = createGate<IncomingMessage>({ ...pages, name: 'other', headers: ['draft-11'] });
    const server = await serve([other, createGate<IncomingMessage>({ ...pages, store, headers: ['draft-11'] })]);

    const { status, headers } = await server.send();

    expect([status, headers.get('ratelimit-policy')]).toEqual([503, '"other";q=6;w=60']);
  });

  it('passes the reason unavailable to the function `body`', async () => {
    const server = await serverWith({ body: ({ decision }: { decision: { reason: string } }) => decision.reason });

    expect(await (await server.send()).text()).toBe('unavailable');
  });

  it('refunds what was counted locally, without a warning', async () => {
    const server = await serverWith({ onStoreFailure: 'local', refundWhen: () => true });

    const answers = [await server.send(), await server.send()];

    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['5', '5']);
    expect(warn.mock.calls.map(([, { code }]) => code)).not.toContain('SLUICE_REFUND_FAILED');
  });
});
