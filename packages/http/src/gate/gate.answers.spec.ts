import type { IncomingMessage, ServerResponse } from 'node:http';

import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { exchange, headerLines, type Exchange } from '../../../../test/support/exchange.js';
import { closeServers, serve } from '../../../../test/support/gate-server.js';
import { lateStore } from '../../../../test/support/late-store.js';
import type { Admission } from './admission.js';
import type { Denied } from './gate-options.js';
import { createGate } from './gate.js';

const pages = { name: 'pages', key: () => 'ada', limit: 2, window: '1m' } as const;
const oneUnit = { ...pages, limit: 1, cost: () => 1 };
const ORIGIN = { origin: 'https://a.example' };

afterEach(closeServers);

describe('Gate, denial', () => {
  it('C26 C28 sends problem details that must not be stored, and names the policies', async () => {
    const { status, headers, body } = await deniedBody({ ...oneUnit, headers: ['draft-11'] });

    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse(body)).toMatchObject({ status, 'violated-policies': ['pages'] });
    expect(headers.get('ratelimit-policy')).toContain('"pages"');
  });

  it('C23 sends the longest Retry-After of all gates that deny', async () => {
    const store = memoryStore({ clock: fakeClock() });
    const gateOf = (name: string, window: '1h' | '1m') =>
      createGate<IncomingMessage>({ ...oneUnit, name, window, algorithm: 'fixed-window', store });
    const gates = [gateOf('hour', '1h'), gateOf('minute', '1m')];
    const exchanges = [exchange(), exchange()];

    const answers: Admission[] = [];
    for (const { request, response } of exchanges) {
      for (const gate of gates) answers.push(await gate.admit(request, response));
    }

    expect(exchanges[1]!.response.getHeader('retry-after')).toBe('3600');
    // That of the minute, which denies as the last.
    expect(answers.at(-1)).toMatchObject({
      problem: { 'retry-after': 3_600, detail: expect.stringContaining(' 3600 ') },
    });
  });

  it('sends the exact wait of all gates in milliseconds with the headers of OpenAI, and exposes them', () => {
    const store = memoryStore({ clock: fakeClock() });
    const bucket = { ...oneUnit, algorithm: 'token-bucket', limit: 7, window: '10s', burst: 1, store } as const;
    const gates = [
      createGate<IncomingMessage>({ ...bucket, name: 'tokens', unit: 'tokens', headers: ['openai'] }),
      createGate<IncomingMessage>({ ...bucket, name: 'slow', window: '20s', headers: [] }),
    ];
    const exchanges = [exchange(), exchange(ORIGIN)];

    for (const { request, response } of exchanges) for (const gate of gates) void gate.admit(request, response);

    expect(headerLines(exchanges[0]!.response)).toEqual([
      'x-ratelimit-limit-tokens: 1',
      'x-ratelimit-remaining-tokens: 0',
      'x-ratelimit-reset-tokens: 1.429s',
    ]);
    const { response } = exchanges[1]!;
    expect([response.getHeader('retry-after'), response.getHeader('retry-after-ms')]).toEqual(['3', '2858']);
    expect(response.getHeader('Access-Control-Expose-Headers')).toBe(
      'x-ratelimit-limit-tokens, x-ratelimit-remaining-tokens, x-ratelimit-reset-tokens, Retry-After, retry-after-ms',
    );
  });

  it('C27 contains nothing that identifies a client', async () => {
    const { headers, body } = await deniedBody({ ...oneUnit, key: () => 'ada@example.com', secret: 'pepper' });

    const text = body + JSON.stringify([...headers]);
    for (const secret of ['ada', 'pepper', '127.0.0.1', 'rl:', '.ts']) expect(text).not.toContain(secret);
  });

  it.each<[string, unknown, string, string]>([
    ['a text', 'Slow down', 'text/plain', 'Slow down'],
    ['a value', { error: 'slow down' }, 'application/json', '{"error":"slow down"}'],
    ['a function', ({ problem }: Denied<unknown>) => ({ code: problem.status }), 'application/json', '{"code":429}'],
    ['an async function', async () => 'Later', 'text/plain', 'Later'],
    [
      'a function of the decision',
      ({ decision, request }: Denied<IncomingMessage>) => `${request.method} ${decision.deniedBy.join()}`,
      'text/plain',
      'GET pages',
    ],
  ])('C26 sends the body of the application: %s', async (_case, own, contentType, text) => {
    const { status, headers, body } = await deniedBody({ ...oneUnit, body: own });

    expect([status, headers.get('content-type'), body]).toEqual([429, contentType, text]);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => JSON.parse('{')],
    ['rejects', async () => JSON.parse('{')],
  ])('rejects with UsageError if the function `body` %s', async (_case, own) => {
    const { status, body } = await deniedBody({ ...oneUnit, body: own });

    const message = 'rateLimit: the function body failed with SyntaxError: the message is in its cause';
    expect([status, body]).toEqual([500, `UsageError FUNCTION_FAILED: ${message}`]);
  });

  it.each<[string, () => unknown]>([
    ['returns', () => ({ units: 5n })],
    ['resolves to', async () => ({ units: 5n })],
  ])('rejects with UsageError if the function `body` %s a value that JSON cannot hold', async (_case, own) => {
    const { status, body } = await deniedBody({ ...oneUnit, body: own });

    const rule = 'must return a value that JSON can hold, without cycles and BigInt, got an object';
    expect([status, body]).toEqual([500, `UsageError FUNCTION_FAILED: rateLimit: the function body ${rule}`]);
  });
});

describe('Gate, several gates', () => {
  const gateOf = (options: object) => createGate<IncomingMessage>({ ...pages, ...options });

  it('C10 reports all limiters in one list, and the binding tier in X-RateLimit-*', async () => {
    const formats = ['x-ratelimit', 'draft-11'];
    const gates = [
      gateOf({ name: 'one', limit: 5, headers: formats }),
      gateOf({ name: 'other', limit: 9, headers: formats }),
    ];

    const { headers } = await (await serve(gates)).send();

    expect(headers.get('ratelimit-policy')).toBe('"one";q=5;w=60, "other";q=9;w=60');
    expect(headers.get('ratelimit')).toBe('"one";r=4;t=48, "other";r=8;t=54');
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['5', '4']);
  });

  it('C8 C10 gives tiers of the same name different names, in headers and in the problem', async () => {
    const server = await serve([5, 1].map((limit) => gateOf({ limit, headers: ['draft-11'] })));
    await server.send();

    const answer = await server.send();

    expect(answer.headers.get('ratelimit')).toMatch(/^"pages";r=3;t=36, "pages-2";r=0;t=\d+$/);
    expect(await answer.json()).toMatchObject({ 'violated-policies': ['pages-2'] });
  });

  it('C8 C10 reports a shared tier once', async () => {
    const shared = { store: memoryStore(), tiers: [{ ...pages, limit: 9 }], headers: ['draft-11'] as const };
    const server = await serve([1, 2].map(() => createGate<IncomingMessage>(shared)));

    expect((await server.send()).headers.get('ratelimit')).toBe('"pages";r=7;t=47');
  });

  it('C10 reports all limiters in the formats of all gates', async () => {
    const gates = [
      gateOf({ name: 'one', limit: 9, headers: ['x-ratelimit'] }),
      gateOf({ name: 'other', limit: 5, headers: ['draft-11'] }),
    ];

    const { headers } = await (await serve(gates)).send();

    expect(headers.get('x-ratelimit-remaining')).toBe('4');
    expect(headers.get('ratelimit')).toBe('"one";r=8;t=54, "other";r=4;t=48');
  });

  it('C20 does not report a gate without headers', async () => {
    const gates = [gateOf({ name: 'silent', limit: 3, headers: [] }), gateOf({ limit: 9, headers: ['draft-11'] })];

    const { headers } = await (await serve(gates)).send();

    expect([headers.get('ratelimit'), headers.get('x-ratelimit-limit')]).toEqual(['"pages";r=8;t=54', null]);
  });
});

describe('Gate, CORS', () => {
  const TRIO = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

  it('C33 exposes the headers that it sends, and keeps those already exposed', async () => {
    const server = await serve([exposing('ETag'), createGate<IncomingMessage>(oneUnit)]);

    const answers = [await server.send({ headers: ORIGIN }), await server.send({ headers: ORIGIN })];

    expect(answers.map(exposedIn)).toEqual([`ETag, ${TRIO}`, `ETag, ${TRIO}, Retry-After`]);
  });

  it('C33 exposes nothing to a client without an origin', async () => {
    const server = await serve([createGate<IncomingMessage>(oneUnit)]);

    expect(exposedIn(await server.send())).toBeNull();
  });

  function exposing(names: string) {
    return {
      admit(_request: IncomingMessage, response: ServerResponse): Admission {
        response.setHeader('Access-Control-Expose-Headers', names);
        return { state: 'admitted', decision: undefined };
      },
    };
  }

  function exposedIn({ headers }: Response): string | null {
    return headers.get('access-control-expose-headers');
  }
});

describe('Gate, response begun before the decision', () => {
  const denying = { cost: 2, limit: () => 1 };

  it.each([
    ['admitted', {}],
    ['denied', denying],
  ])('C19 leaves a response that has ended, for an %s request', async (_case, change) => {
    const { admission, response, answer } = await pending(change);

    response.end('timeout');
    answer();

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect([response.getHeaderNames(), response.statusCode]).toEqual([[], 200]);
  });

  it('C19 adds no headers after they were sent, and admits', async () => {
    const { admission, response, answer } = await pending();

    response.flushHeaders();
    answer();

    await expect(admission).resolves.toMatchObject({ state: 'admitted', decision: { allowed: true } });
    expect([response.getHeaderNames(), response.writableEnded]).toEqual([[], false]);
  });

  it('C19 ends a response whose headers were sent, for a denied request', async () => {
    const { admission, response, answer } = await pending(denying);

    response.flushHeaders();
    answer();

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect([response.getHeaderNames(), response.writableEnded]).toEqual([[], true]);
  });

  it('C19 ends a response whose headers were sent, for a closed store', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { admission, response, answer, store } = await pending();

    response.flushHeaders();
    await store.close();
    answer();

    await expect(admission).resolves.toEqual({ state: 'ended' });
    expect(response.getHeaderNames()).toEqual([]);
    warn.mockRestore();
  });

  it('counts a client that disconnects before the decision', async () => {
    const { admission, response, answer, limiter, request } = await pending({ limit: 1 });

    response.destroy();
    answer();

    await expect(admission).resolves.toMatchObject({ state: 'admitted' });
    expect(await limiter.peek(request)).toMatchObject({ allowed: false });
  });

  /** A request to a real server whose store has not answered yet. */
  async function pending(change: object = {}) {
    const { store, answer } = lateStore();
    const gate = createGate<IncomingMessage>({ ...pages, store, ...change });
    const { request, response } = await unanswered();
    const admission = Promise.resolve(gate.admit(request, response));
    return { admission, request, response, answer, store, limiter: gate.limiter };
  }

  async function unanswered(): Promise<Exchange> {
    const { promise, resolve } = withResolvers<Exchange>();
    const server = await serve([], (request, response: ServerResponse) => resolve({ request, response }));
    server.send().catch(() => undefined);
    return promise;
  }
});

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** The second answer of a real server with a limit of one request. */
async function deniedBody(options: object) {
  const server = await serve([createGate<IncomingMessage>(options as typeof pages)]);
  await server.send();
  const { status, headers, ...answer } = await readAnswer(await server.send());
  return { status, headers, body: answer.body };
}

async function readAnswer(answer: Response) {
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}
