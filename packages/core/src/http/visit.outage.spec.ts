import type { IncomingMessage } from 'node:http';

import { closeServers, serve } from '../../../../test/http/gate-server.js';
import { closedPort } from '../../../../test/redis/wire.js';
import { redisStore } from '../stores/redis/redis-store.js';
import type { Store } from '../stores/store.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 1, window: '1m' } as const;

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
  it('C32 C44 is 503 with Retry-After, never 429 and never an admission, and is warned of once', async () => {
    const server = await serve([
      createGate<IncomingMessage>({ ...pages, store, headers: ['x-ratelimit', 'draft-11'] }),
    ]);

    const answers = [await server.send(), await server.send()];

    const body = (await answers[0]!.json()) as Record<string, unknown>;
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '1'],
      [503, '1'],
    ]);
    expect(body).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
      status: 503,
    });
    expect(answers[0]!.headers.get('cache-control')).toBe('no-store');
    expect([...answers[0]!.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining('requests are answered with 503'),
        expect.objectContaining({ code: 'SLUICE_STORE_UNAVAILABLE' }),
      ],
    ]);
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

    expect([status, headers.get('ratelimit-policy')]).toEqual([503, '"other";q=1;w=60']);
  });

  it('is told to a body of the application as unavailable', async () => {
    const body = ({ decision }: { decision: { reason: string } }) => decision.reason;

    const answer = await (await serve([createGate<IncomingMessage>({ ...pages, store, body })])).send();

    expect(await answer.text()).toBe('unavailable');
  });

  it('is no answer to a function that fails, which is an error', async () => {
    const limit = () => {
      throw new Error('down');
    };

    const answer = await (await serve([createGate<IncomingMessage>({ ...pages, store, limit })])).send();

    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('FUNCTION_FAILED')]);
  });
});
