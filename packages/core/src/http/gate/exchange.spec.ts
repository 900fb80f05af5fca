import type { IncomingMessage, ServerResponse } from 'node:http';

import { closeServers, serve } from '../../testing/internal/gate-server.js';
import { exchange } from '../../testing/internal/exchange.js';
import { fakeClock } from '../../testing/clock.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import type { Admission } from './admission.js';
import { createGate } from './gate.js';
import type { Denied } from './gate-options.js';

const pages = { name: 'pages', key: () => 'ada', limit: 2, window: '1m' } as const;
/** One unit, which is spent. */
const spent = { ...pages, limit: 1, cost: () => 1 };
const ORIGIN = { origin: 'https://a.example' };

afterEach(closeServers);

describe('a denial', () => {
  it('C26 C28 is problem details that nobody may store, and names what denies', async () => {
    const answer = await denied({ ...spent, headers: ['draft-11'] });

    const body = (await answer.json()) as Record<string, unknown>;
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(body['status']).toBe(answer.status);
    expect(body['violated-policies']).toEqual(['pages']);
    expect(answer.headers.get('ratelimit-policy')).toContain('"pages"');
  });

  it('C23 tells the longest wait of all gates that deny, also where an earlier one had let the request go on', async () => {
    const store = memoryStore({ clock: fakeClock() });
    const gateOf = (name: string, window: '1h' | '1m') =>
      createGate<IncomingMessage>({ ...spent, name, window, algorithm: 'fixed-window', store });
    const gates = [gateOf('hour', '1h'), gateOf('minute', '1m')];
    const [first, second] = [exchange(), exchange()];
    for (const gate of gates) await gate.admit(first.request, first.response);

    for (const gate of gates) await gate.admit(second.request, second.response);

    expect(second.response.getHeader('retry-after')).toBe('3600');
  });

  it('C27 tells nothing of who it is about', async () => {
    const answer = await denied({ ...spent, key: () => 'ada@example.com', secret: 'pepper' });

    const text = (await answer.text()) + JSON.stringify([...answer.headers]);
    for (const secret of ['ada', 'pepper', '127.0.0.1', 'rl:', '.ts']) expect(text).not.toContain(secret);
  });

  it.each([
    ['text/plain', 'text/plain', /^Request cannot be satisfied .*\. Too many requests\. Retry in \d+ seconds?\.\n$/],
    ['application/json', 'application/json', /^\{"type":"https:.*\}$/],
    ['*/*', 'application/problem+json', /^\{"type":"https:.*\}$/],
  ])('C26 is what the client accepts: %s', async (accept, contentType, text) => {
    const answer = await denied(spent, { headers: { accept } });

    expect(answer.headers.get('content-type')).toBe(contentType);
    expect(await answer.text()).toMatch(text);
  });

  it.each<[string, unknown, string, string]>([
    ['text', 'Slow down', 'text/plain', 'Slow down'],
    ['a value', { error: 'slow down' }, 'application/json', '{"error":"slow down"}'],
    ['a function', ({ problem }: Denied<unknown>) => ({ code: problem.status }), 'application/json', '{"code":429}'],
    ['a function that takes its time', async () => 'Later', 'text/plain', 'Later'],
    [
      'a function of the decision',
      ({ decision, request }: Denied<IncomingMessage>) => `${request.method} ${decision.deniedBy.join()}`,
      'text/plain',
      'GET pages',
    ],
  ])('C26 has the body that the application has chosen: %s', async (_what, body, contentType, text) => {
    const answer = await denied({ ...spent, body });

    expect([answer.status, answer.headers.get('content-type')]).toEqual([429, contentType]);
    expect(await answer.text()).toBe(text);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => JSON.parse('{')],
    ['rejects', async () => JSON.parse('{')],
  ])('rejects with UsageError where the body is a function that %s', async (_what, body) => {
    const answer = await denied({ ...spent, body });

    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('UsageError FUNCTION_FAILED: rateLimit: the function body failed');
  });
});

describe('several limiters on a request', () => {
  it('C10 tell their members in one list, and X-RateLimit-* of what is closest to denying', async () => {
    const one = createGate<IncomingMessage>({ ...pages, name: 'one', limit: 5, headers: ['x-ratelimit', 'draft-11'] });
    const other = createGate<IncomingMessage>({
      ...pages,
      name: 'other',
      limit: 9,
      headers: ['x-ratelimit', 'draft-11'],
    });
    const server = await serve([one, other]);

    const { headers } = await server.send();

    expect(headers.get('ratelimit-policy')).toBe('"one";q=5;w=60, "other";q=9;w=60');
    expect(headers.get('ratelimit')).toBe('"one";r=4;t=48, "other";r=8;t=54');
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['5', '4']);
  });

  it('C8 C10 tell tiers of one name apart, and name what denies as the lists do', async () => {
    const gates = [5, 1].map((limit) => createGate<IncomingMessage>({ ...pages, limit, headers: ['draft-11'] }));
    const server = await serve(gates);
    await server.send();

    const answer = await server.send();

    expect(answer.headers.get('ratelimit')).toMatch(/^"pages";r=3;t=36, "pages-2";r=0;t=\d+$/);
    expect(((await answer.json()) as Record<string, unknown>)['violated-policies']).toEqual(['pages-2']);
  });

  it('C8 C10 tell a tier that they share once', async () => {
    const store = memoryStore();
    const tiers = [{ ...pages, limit: 9 }];
    const gates = [1, 2].map(() => createGate<IncomingMessage>({ store, tiers, headers: ['draft-11'] }));
    const server = await serve(gates);

    expect((await server.send()).headers.get('ratelimit')).toBe('"pages";r=7;t=47');
  });

  it('C10 have each speak of all of them, whatever each is told in', async () => {
    const one = createGate<IncomingMessage>({ ...pages, name: 'one', limit: 9, headers: ['x-ratelimit'] });
    const other = createGate<IncomingMessage>({ ...pages, name: 'other', limit: 5, headers: ['draft-11'] });
    const server = await serve([one, other]);

    const { headers } = await server.send();

    expect(headers.get('x-ratelimit-remaining')).toBe('4');
    expect(headers.get('ratelimit')).toBe('"one";r=8;t=54, "other";r=4;t=48');
  });

  it('C20 tell nothing of one that has no headers, nor in a dialect of another one', async () => {
    const silent = createGate<IncomingMessage>({ ...pages, name: 'silent', limit: 3, headers: [] });
    const server = await serve([silent, createGate<IncomingMessage>({ ...pages, limit: 9, headers: ['draft-11'] })]);

    const { headers } = await server.send();

    expect(headers.get('ratelimit')).toBe('"pages";r=8;t=54');
    expect(headers.has('x-ratelimit-limit')).toBe(false);
  });
});

describe('C33 headers that scripts of another origin may read', () => {
  it('are those that were sent, besides those that they may read already', async () => {
    const server = await serve([expose('ETag'), createGate<IncomingMessage>(spent)]);

    const answers = [await server.send({ headers: ORIGIN }), await server.send({ headers: ORIGIN })];

    const trio = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
    expect(answers.map(exposed)).toEqual([`ETag, ${trio}`, `ETag, ${trio}, Retry-After`]);
  });

  it('are left alone where all are', async () => {
    const server = await serve([expose('*'), createGate<IncomingMessage>(spent)]);

    expect(exposed(await server.send({ headers: ORIGIN }))).toBe('*');
  });

  it('are not named to a client that is of no origin', async () => {
    const server = await serve([createGate<IncomingMessage>(spent)]);

    expect(exposed(await server.send())).toBeNull();
  });

  /** Stands before a gate, and exposes headers. */
  function expose(names: string) {
    return {
      admit(_request: IncomingMessage, response: ServerResponse): Admission {
        response.setHeader('Access-Control-Expose-Headers', names);
        return { state: 'admitted', decision: undefined };
      },
    };
  }

  function exposed({ headers }: Response): string | null {
    return headers.get('access-control-expose-headers');
  }
});

/** A denial by a real server. */
async function denied(options: object, init?: RequestInit): Promise<Response> {
  const server = await serve([createGate<IncomingMessage>(options as typeof pages)]);
  await server.send();
  return server.send(init);
}
