import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { byApiKey } from '../keys/api-key.js';
import { byIp } from '../keys/ip.js';
import { byJwtSubject } from '../keys/jwt-subject.js';
import { createWebGate, type WebGate, type WebGateOptions } from './web-gate.js';
import type { WebClient, WebRequest } from './web-request.js';

const IP = '203.0.113.7';
const client: WebClient = { ip: IP };
const get = (init: RequestInit & { path?: string } = {}) => new Request(`https://a.example${init.path ?? '/'}`, init);

type Visit = readonly [request: Request, client: WebClient];

/** A gate with one place for a request that runs, and how many run. */
function runningGate(options: Partial<WebGateOptions> = {}) {
  const limiter = createLimiter<WebRequest>({
    tiers: [
      { name: 'running', key: byIp(), algorithm: 'concurrency', limit: 5 },
      { name: 'hour', key: byIp(), limit: 100, window: '1h' },
    ],
  });
  const gate = createWebGate({ limiter, ...options } as WebGateOptions);
  const held = async () => {
    const [inspection] = await limiter.inspect({ ip: IP }, { tiers: ['running'] });
    return 5 - inspection!.outcome.remaining;
  };
  return { gate, held };
}

async function admitted(gate: WebGate, request = get(), of: WebClient = client) {
  const admission = await gate.admit(request, of);
  if (!admission.allowed) throw new Error('the gate denied the request');
  return admission;
}

/** A body that sends what a test enqueues. */
function manualBody() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let cancelled: unknown;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    cancel: (reason) => void (cancelled = reason),
  });
  return { body, controller, cancelled: () => cancelled };
}

describe('createWebGate', () => {
  it('admits requests up to the limit, by address, and adds headers to their responses', async () => {
    const gate = createWebGate({ limit: 2, window: '1m' });

    const responses = [];
    for (let count = 0; count < 3; count += 1) {
      const admission = await gate.admit(get(), client);
      responses.push(admission.allowed ? admission.wrap(new Response('served')) : await admission.response());
    }

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(responses.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
    expect(await responses[0]!.text()).toBe('served');
    expect(Object.fromEntries(responses[2]!.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': '60',
    });
    expect(await responses[2]!.json()).toMatchObject({ status: 429, 'violated-policies': ['default'] });
  });

  it('decides without a promise if nothing has to be awaited', () => {
    const gate = createWebGate({ limit: 1, window: '1m' });

    expect([gate.admit(get(), client), gate.admit(get(), client)]).toMatchObject([
      {
        allowed: true,
        decision: { allowed: true },
        headers: [['x-ratelimit-limit', '1'], expect.anything(), expect.anything()],
      },
      { allowed: false, problem: { status: 429 } },
    ]);
  });

  it('identifies clients by headers, query, user, claims and session', async () => {
    const seen: unknown[] = [];
    const key = (request: WebRequest) => {
      const { method, url, headers, query, ip, user, auth, session } = request;
      seen.push({ method, url, key: headers['x-api-key'], query, ip, user, auth, session });
      return 'all';
    };
    const request = get({ path: '/a?one=1&two=1&two=2', method: 'PUT', headers: { 'X-Api-Key': 'k' } });

    await createWebGate({ key, limit: 5, window: '1m' }).admit(request, { ip: IP, user: 'u', auth: 'a', session: 's' });

    expect(seen).toEqual([
      {
        method: 'PUT',
        url: 'https://a.example/a?one=1&two=1&two=2',
        key: 'k',
        query: { one: '1', two: ['1', '2'] },
        ip: IP,
        user: 'u',
        auth: 'a',
        session: 's',
      },
    ]);
  });

  it('reads the names of a query as URL does, also after a second question mark', async () => {
    const paths = ['/??api_key=1', '/?api_key=2', '/?', '/??'];
    const seen: unknown[] = [];
    const key = (request: WebRequest) => {
      seen.push(request.query);
      return 'all';
    };
    const gate = createWebGate({ key, limit: 5, window: '1m' });

    for (const path of paths) await gate.admit(get({ path }), { ip: IP });

    const parsed = paths.map((path) => Object.fromEntries(new URL(path, 'https://a.example').searchParams));
    expect(seen).toEqual(parsed);
    expect(parsed[0]).toEqual({ '?api_key': '1' });
  });

  it('has what a later gate knows of the client, and reports both gates', async () => {
    const store = memoryStore();
    const outer = createWebGate({ store, name: 'ip', limit: 9, window: '1m', headers: ['draft-11'] });
    const inner = createWebGate({
      store,
      name: 'user',
      key: byJwtSubject(),
      limit: 3,
      window: '1m',
      headers: ['draft-11'],
    });
    const visit = async (sub: string) => {
      const request = get();
      const first = await admitted(outer, request);
      const second = await admitted(inner, request, { ip: IP, auth: { sub } });
      return first
        .wrap(second.wrap(new Response('served')))
        .headers.get('ratelimit')!
        .replaceAll(/;t=\d+/g, '');
    };

    expect([await visit('ada'), await visit('ada'), await visit('bob')]).toEqual([
      '"ip";r=8, "user";r=2',
      '"ip";r=7, "user";r=1',
      '"ip";r=6, "user";r=2',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'undefined'],
    ['an object', { error: 'slow down' }, 'an object'],
    ['an object by promise', Promise.resolve({ error: 'slow down' }), 'an object'],
  ])('rejects where `onDenied` returns %s', async (_what, result, got) => {
    const gate = createWebGate({ limit: 1, window: '1m', onDenied: (() => result) as never });
    const ask = () => gate.run(new Request('http://localhost/'), { ip: '203.0.113.9' }, () => new Response('served'));
    await ask();

    const rule = 'onDenied must return a Response, such as Response.json({ … }, { status: problem.status })';
    await expect(ask()).rejects.toMatchObject({
      code: 'FUNCTION_FAILED',
      message: `createWebGate: ${rule}, got ${got}`,
    });
  });

  it('lets `onDenied` make the response, with its own status, and adds the headers', async () => {
    const gate = createWebGate({
      limit: () => 0,
      window: '1m',
      onDenied: ({ problem, request }) => Response.json({ at: request.url, was: problem.status }, { status: 418 }),
    });

    const admission = await gate.admit(get(), client);
    const response = admission.allowed ? undefined : await admission.response();

    expect(response!.status).toBe(418);
    expect(await response!.json()).toEqual({ at: 'https://a.example/', was: 422 });
    expect(response!.headers.get('x-ratelimit-limit')).toBe('0');
  });

  it('rejects if a function of the application fails', async () => {
    const gate = createWebGate({ limit: 1, window: '1m', key: () => Promise.reject(new Error('mine')) });

    await expect(gate.admit(get(), client)).rejects.toMatchObject({ name: 'UsageError', code: 'FUNCTION_FAILED' });
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    [IP, 'text'],
  ])('rejects with UsageError for the client %p, and counts nothing', async (given, got) => {
    const store = memoryStore();
    const gate = createWebGate({ store, name: 'minute', limit: 1, window: '1m' });

    await expect(gate.admit(get(), given as WebClient)).rejects.toMatchObject({
      name: 'UsageError',
      code: 'USAGE_INVALID',
      message: `createWebGate: the client must be an object: write admit(request, { ip }), got ${got}`,
    });
    expect(store.size).toBe(0);
  });

  it('answers 503 behind a closed store, if its limit denies then', async () => {
    const store = memoryStore();
    const gate = createWebGate({ store, name: 'minute', limit: 1, window: '1m' });
    await store.close();
    jest.spyOn(process, 'emitWarning').mockReturnValue();

    const admission = await gate.admit(get(), client);
    jest.restoreAllMocks();

    expect(admission).toMatchObject({ allowed: false, problem: { status: 503 }, decision: { reason: 'unavailable' } });
  });

  it('counts no preflight, and no request that it skips or that is on its list', async () => {
    const preflight = { origin: 'https://b.example', 'access-control-request-method': 'PUT' };
    const gate = createWebGate({
      limit: 1,
      window: '1m',
      skip: ({ headers }) => 'x-skip' in headers,
      allow: ['198.51.100.0/24'],
      deny: ['192.0.2.0/24'],
    });

    const admissions = [
      await gate.admit(get({ method: 'OPTIONS', headers: preflight }), client),
      await gate.admit(get({ headers: { 'x-skip': '1' } }), client),
      await gate.admit(get(), { ip: '198.51.100.9' }),
      await gate.admit(get(), { ip: '192.0.2.9' }),
    ];

    expect(admissions.slice(0, 3)).toMatchObject(Array.from({ length: 3 }, () => ({ allowed: true, headers: [] })));
    expect(admissions.every(({ decision }) => decision === undefined || !decision.allowed)).toBe(true);
    expect(admissions[3]).toMatchObject({ allowed: false, problem: { status: 403 } });
  });

  it('counts a request with the headers of a preflight and a body, which needs no header over HTTP/2', async () => {
    const headers = { origin: 'https://b.example', 'access-control-request-method': 'PUT' };
    const gate = createWebGate({ limit: 1, window: '1m' });
    const body = () => new Blob(['{}']).stream();
    const send = () => gate.admit(get({ method: 'OPTIONS', headers, body: body(), duplex: 'half' } as never), client);

    expect([await send(), await send()].map(({ allowed }) => allowed)).toEqual([true, false]);
  });

  it('counts the address that it receives, also where an earlier gate received another one', async () => {
    const gates = [createWebGate({ limit: 9, window: '1m' }), createWebGate({ limit: 1, window: '1m' })];
    const send = async (second: string) => {
      const request = get();
      await gates[0]!.admit(request, { ip: '10.0.0.1' });
      return (await gates[1]!.admit(request, { ip: second })).allowed;
    };

    expect([await send('192.0.2.1'), await send('192.0.2.2'), await send('192.0.2.1')]).toEqual([true, true, false]);
  });

  it('decides about a frozen request', async () => {
    const gate = createWebGate({ limit: 1, window: '1m' });
    const request = Object.freeze(new Request('https://shop.example/'));

    const admissions = [await gate.admit(request, { ip: '192.0.2.1' }), await gate.admit(request, { ip: '192.0.2.1' })];

    expect(admissions.map(({ allowed }) => allowed)).toEqual([true, false]);
  });

  it('knows its last decision about a request', async () => {
    const gate = createWebGate({ limit: 5, window: '1m' });
    const [request, other] = [get(), get()];

    const { decision } = await gate.admit(request, client);

    expect(gate.decision(request)).toBe(decision);
    expect(gate.decision(other)).toBeUndefined();
  });

  it('ends a request whose client leaves while it is queued, and frees its place', async () => {
    const gate = createWebGate({ algorithm: 'leaky-bucket', limit: 1, window: '1h', queue: 1 });
    const controller = new AbortController();
    await gate.admit(get(), client);

    const waiting = gate.admit(get({ signal: controller.signal }), client);
    controller.abort();
    const admission = await waiting;

    expect(admission).toMatchObject({ allowed: false, problem: undefined, decision: undefined });
    expect((await (admission as { response(): Promise<Response> }).response()).status).toBe(499);
    expect(gate.limiter.peek({ ip: IP } as WebRequest)).toMatchObject({ allowed: true });
  });

  it('warns of presented keys without a tier by address, as gates of Node do', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();

    await createWebGate({ key: byApiKey(), limit: 5, window: '1m' }).admit(
      get({ headers: { 'x-api-key': 'k' } }),
      client,
    );

    const codes = warn.mock.calls.map(([, options]) => (options as { code?: string }).code);
    warn.mockRestore();
    expect(codes).toEqual(['SLUICE_UNBOUNDED_API_KEYS']);
  });
});

describe('WebAdmitted.wrap', () => {
  it('leaves the response of the application unchanged, and takes responses of fetch()', async () => {
    const gate = createWebGate({ limit: 9, window: '1m' });
    const own = new Response(null, { status: 204 });
    const fetched = Response.redirect('https://b.example', 302);

    const wrapped = [(await admitted(gate)).wrap(own), (await admitted(gate)).wrap(fetched)];

    expect(wrapped.map(({ status }) => status)).toEqual([204, 302]);
    expect(wrapped.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['8', '7']);
    expect(own.headers.has('x-ratelimit-limit')).toBe(false);
  });

  it.each<[unknown, string]>([
    [Promise.resolve(new Response('served')), 'a promise: write wrap(await handle(request))'],
    [undefined, 'undefined'],
    [{ body: 'served' }, 'an object'],
  ])('throws a UsageError for %p', async (response, got) => {
    const { wrap } = await admitted(createWebGate({ limit: 9, window: '1m' }));

    expect(() => wrap(response as Response)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        code: 'USAGE_INVALID',
        message: `createWebGate: wrap must get a Response, got ${got}`,
      }),
    );
  });

  it('exposes its headers to scripts of other origins, beside those of the application', async () => {
    const gate = createWebGate({ limit: 9, window: '1m' });
    const admission = await admitted(gate, get({ headers: { origin: 'https://b.example' } }));
    const exposed = (headers: Record<string, string>) =>
      admission.wrap(new Response('', { headers })).headers.get('access-control-expose-headers');

    expect([
      exposed({}),
      exposed({ 'Access-Control-Expose-Headers': 'ETag' }),
      exposed({ 'Access-Control-Expose-Headers': '*' }),
    ]).toEqual([
      'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
      'ETag, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
      '*',
    ]);
  });

  it('holds a permit until the body has been read to its end', async () => {
    const { gate, held } = runningGate();
    const response = (await admitted(gate)).wrap(new Response('served'));

    const before = await held();
    const text = await response.text();

    expect([before, text, await held()]).toEqual([1, 'served', 0]);
  });

  it('ends a permit when the body fails', async () => {
    const { gate, held } = runningGate();
    const { body, controller } = manualBody();
    const response = (await admitted(gate)).wrap(new Response(body));

    controller.error(new Error('the source fails'));

    await expect(response.text()).rejects.toThrow('the source fails');
    expect(await held()).toBe(0);
  });

  it('ends a permit when the server cancels the body, and cancels that of the application', async () => {
    const { gate, held } = runningGate();
    const { body, cancelled } = manualBody();
    const response = (await admitted(gate)).wrap(new Response(body));

    await response.body!.cancel('gone');

    expect([await held(), cancelled()]).toEqual([0, 'gone']);
  });

  it.each([
    ['the signal of the request', (signal: AbortSignal): Visit => [get({ signal }), client]],
    ['a signal of the caller', (signal: AbortSignal): Visit => [get(), { ip: IP, signal }]],
  ])('ends a permit on %s, before and after it wraps', async (_name, visit) => {
    const { gate, held } = runningGate();
    const [early, late] = [new AbortController(), new AbortController()];
    await admitted(gate, ...visit(early.signal));
    (await admitted(gate, ...visit(late.signal))).wrap(new Response(manualBody().body));

    const counts = [await held()];
    early.abort();
    counts.push(await held());
    late.abort();
    counts.push(await held());

    expect(counts).toEqual([2, 1, 0]);
  });

  it('admits no request that holds a permit for a client that has left before', async () => {
    const { gate, held } = runningGate();

    const admission = await gate.admit(get({ signal: AbortSignal.abort() }), client);

    expect([admission.allowed, admission.decision, await held()]).toEqual([false, undefined, 0]);
  });

  it.each([
    ['without a body', get(), new Response(null, { status: 204 })],
    ['to HEAD', get({ method: 'HEAD' }), new Response('never read')],
  ])('ends a permit at once for a response %s', async (_name, request, response) => {
    const { gate, held } = runningGate();

    (await admitted(gate, request)).wrap(response);

    expect(await held()).toBe(0);
  });

  it('ends the permits of several gates of a request with one response', async () => {
    const [outer, inner] = [runningGate(), runningGate()];
    const request = get();
    const [first, second] = [await admitted(outer.gate, request), await admitted(inner.gate, request)];
    const response = first.wrap(second.wrap(new Response('served')));

    const before = [await outer.held(), await inner.held()];
    await response.text();

    expect([before, [await outer.held(), await inner.held()]]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it('ends a permit of a response, and of an admission, that the application drops', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { gate, held } = runningGate();
    const drop = async () => {
      await admitted(gate);
      (await admitted(gate)).wrap(new Response('never read'));
    };
    await drop();
    const before = await held();

    for (let turn = 0; turn < 100 && (await held()) > 0; turn += 1) {
      collect();
      await new Promise(setImmediate);
    }

    expect([before, await held()]).toEqual([2, 0]);
  });

  it('reads nothing of a body before the server does', async () => {
    const { gate } = runningGate();
    let pulled = 0;
    const body = new ReadableStream(
      { pull: (controller) => controller.enqueue(new Uint8Array([(pulled += 1)])) },
      { highWaterMark: 0 },
    );

    const reader = (await admitted(gate)).wrap(new Response(body)).body!.getReader();
    const before = pulled;
    await reader.read();

    expect([before, pulled]).toEqual([0, 1]);
    await reader.cancel();
  });

  it('refunds by the status of the response when its body has been read, and not if its client leaves', async () => {
    const gate = createWebGate({ limit: 9, window: '1m', refundWhen: (status) => status === 204 || status === 200 });
    const remaining = () =>
      (gate.limiter.peek({ ip: IP } as WebRequest) as { binding: { remaining: number } }).binding.remaining;
    const counts: number[] = [];
    const note = async () => {
      await new Promise(setImmediate);
      counts.push(remaining());
    };

    await (await admitted(gate)).wrap(new Response('fine')).text();
    await note();
    (await admitted(gate)).wrap(new Response(null, { status: 204 }));
    await note();
    await (await admitted(gate)).wrap(new Response('no', { status: 400 })).text();
    await note();
    await (await admitted(gate)).wrap(new Response(manualBody().body)).body!.cancel();
    await note();

    expect(counts).toEqual([9, 9, 8, 7]);
  });
});

describe('WebGate.run', () => {
  it('answers a denied request, and calls the handler of an admitted one with its decision', async () => {
    const gate = createWebGate({ limit: 1, window: '1m' });
    const handle = jest.fn(() => new Response('served'));

    const responses = [await gate.run(get(), client, handle), await gate.run(get(), client, handle)];

    expect(responses.map(({ status }) => status)).toEqual([200, 429]);
    expect(responses[0]!.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(handle.mock.calls).toEqual([[expect.objectContaining({ allowed: true })]]);
  });

  it('holds a permit while the handler works, although its client has left', async () => {
    const { gate, held } = runningGate();
    const controller = new AbortController();
    let end!: (response: Response) => void;
    const running = gate.run(
      get(),
      { ip: IP, signal: controller.signal },
      () => new Promise((resolve) => (end = resolve)),
    );
    await new Promise(setImmediate);

    controller.abort();
    const during = await held();
    end(new Response('late'));
    await running;

    expect([during, await held()]).toEqual([1, 0]);
  });

  it('rejects with the error of the handler, and holds nothing after it', async () => {
    const { gate, held } = runningGate();

    const failed = gate.run(get(), client, async () => {
      throw new Error('mine');
    });

    await expect(failed).rejects.toThrow('mine');
    expect(await held()).toBe(0);
  });

  it('rejects without a client', async () => {
    const { gate } = runningGate();

    await expect(gate.run(get(), '203.0.113.7' as never, () => new Response())).rejects.toMatchObject({
      code: 'USAGE_INVALID',
    });
  });
});
