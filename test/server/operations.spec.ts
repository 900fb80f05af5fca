import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { subscribe } from '@sluice/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApi } from '../../packages/server/src/http/open-api.js';
import { ROUTES } from '../../packages/server/src/http/routes.js';
import { limitsSchema } from '../../packages/policies/src/document/limits-schema.js';
import { rulesSchema } from '../../packages/server/src/rules/rules-schema.js';
import { root } from '../../scripts/root.mjs';
import { serve } from '@sluice/server';
import { within } from '../support/within.js';
import { LIMITS } from './limits.js';
import { SECRET, withServers } from './with-server.js';

const TOKEN = 'a-token-of-the-tests';
const same = (bytes: Buffer) => bytes;

/** A stream of `grpc.health.v1.Health/Watch`: what it has got, and what it has ended with. */
function watchHealth(port: number, name: string) {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const request = Buffer.concat([Buffer.from([10, name.length]), Buffer.from(name)]);
  const stream = client.makeServerStreamRequest('/grpc.health.v1.Health/Watch', same, same, request);
  const got: number[] = [];
  const opened = once(stream, 'data');
  stream.on('data', (reply: Buffer) => got.push(reply[1]!));
  const ended = new Promise<{ readonly code: status; readonly got: readonly number[] }>((resolve) => {
    stream.on('error', () => undefined);
    stream.on('status', ({ code }) => {
      client.close();
      resolve({ code, got });
    });
  });
  return { opened, ended };
}

/** The status of `grpc.health.v1.Health/Check` for a service: 1 serves. */
function health(port: number, name: string): Promise<number> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const request = Buffer.concat([Buffer.from([10, name.length]), Buffer.from(name)]);
  return new Promise<number>((resolve, reject) => {
    client.makeUnaryRequest('/grpc.health.v1.Health/Check', same, same, request, (error, reply) =>
      error ? reject(error) : resolve(reply![1]!),
    );
  }).finally(() => client.close());
}

describe('The ports of the service', () => {
  const start = withServers();

  it('say that it is healthy, and for each service of gRPC', async () => {
    const { server } = await start(LIMITS);
    const { grpc, operations } = server.ports;

    expect(await health(grpc!, '')).toBe(1);
    expect(await health(grpc!, 'envoy.service.ratelimit.v3.RateLimitService')).toBe(1);
    await expect(health(grpc!, 'other')).rejects.toMatchObject({ code: status.NOT_FOUND });
    const ready = await fetch(`http://127.0.0.1:${operations}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { status: 'SERVING', policies: { source: 'file' } },
    ]);
    expect((await fetch(`http://127.0.0.1:${operations}/healthz`)).status).toBe(200);
  });

  it('show metrics of limits, of policies and of calls', async () => {
    const { server, client, post } = await start(LIMITS);
    await client.check('api', { remote_address: '192.0.2.1' });
    await post('/check', { limiter: 'nothing' });

    const text = await (await fetch(`http://127.0.0.1:${server.ports.operations}/metrics`)).text();

    expect(text).toContain('sluice_server_calls_total{sluice_protocol="grpc",sluice_result="ok"} 1');
    expect(text).toContain('sluice_server_calls_total{sluice_protocol="http",sluice_result="refused"} 1');
    expect(text).toMatch(/^sluice_decisions_total\{.*\} 1$/m);
    expect(text).not.toContain('192.0.2.1');
  });

  it('end health first, answer the calls in flight, and then take none', async () => {
    const queued = `
version: 1
limiters: { jobs: { tiers: [{ name: line, key: ip, limit: 2, window: 400ms, algorithm: leaky-bucket, queue: 3 }] } }
extensions: { server: { descriptors: [{ tier: line, from: [remote_address] }] } }
`;
    const { server, client } = await start(queued);
    const ip = { remote_address: '192.0.2.1' };
    await client.check('jobs', ip);
    // The next request is in line as soon as it is decided.
    const decided = new Promise<void>((resolve) => {
      const end = subscribe('sluice:decision', () => {
        end();
        resolve();
      });
    });
    const waiting = client.check('jobs', ip);
    await decided;

    const closed = server.close(10_000);

    await expect(waiting).resolves.toMatchObject({ overall_code: 'OK' });
    await closed;
    await expect(fetch(`http://127.0.0.1:${server.ports.http}/openapi.json`)).rejects.toThrow('fetch failed');
  });

  it('end the streams of all that watch its health, and wait for none of them', async () => {
    const { server } = await start(LIMITS);
    const watchers = ['', 'envoy.service.ratelimit.v3.RateLimitService', 'other'].map((name) =>
      watchHealth(server.ports.grpc!, name),
    );
    await Promise.all(watchers.map(({ opened }) => opened));

    await within(20_000, () => server.close(3_600_000));

    expect(await Promise.all(watchers.map(({ ended }) => ended))).toEqual([
      { code: status.OK, got: [1, 2] },
      { code: status.OK, got: [1, 2] },
      { code: status.OK, got: [3] },
    ]);
  });

  it('admit only callers with a token, but health without one', async () => {
    const { server, client, post } = await start(LIMITS, { tokens: ['another-token-of-tests', TOKEN] });
    const request = { domain: 'api', descriptors: [{ entries: [{ key: 'remote_address', value: '192.0.2.1' }] }] };
    const check = { limiter: 'api', request: { ip: '192.0.2.1' }, identities: { tenant: 'acme' } };

    await expect(client.send(request)).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    await expect(client.send(request, { authorization: 'Bearer wrong' })).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
    });
    await expect(client.send(request, { authorization: `Bearer ${TOKEN}` })).resolves.toMatchObject({
      overall_code: 'OK',
    });
    expect((await post('/check', check)).status).toBe(401);
    expect((await post('/check', check, { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect(await health(server.ports.grpc!, '')).toBe(1);
  });

  it('refuse a body that is too large or no JSON, another type, and another path', async () => {
    const { server, post } = await start(LIMITS);
    const send = (body: string, type = 'application/json') =>
      fetch(`http://127.0.0.1:${server.ports.http}/check`, { method: 'POST', body, headers: { 'content-type': type } });

    const statuses = [
      (await send(JSON.stringify({ limiter: 'x'.repeat(270_000) }))).status,
      (await send('{')).status,
      (await send('[]')).status,
      (await send('{}', 'text/plain')).status,
      (await post('/chek', {})).status,
    ];

    expect(statuses).toEqual([413, 400, 400, 415, 404]);
  });

  it('cut a client that sends its request too slowly, and take no more connections than they may', async () => {
    const { server } = await start(LIMITS, { bounds: { timeout: '200ms', connections: 2 } });
    const sockets = Array.from({ length: 4 }, () => connect(server.ports.http!, '127.0.0.1'));
    const ends = sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on('error', () => undefined);
          socket.on('close', () => resolve());
          socket.resume();
        }),
    );
    for (const socket of sockets) socket.write('POST /check HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{');

    await Promise.all(ends);

    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('end a call of gRPC whose message does not come', async () => {
    const { server } = await start(LIMITS, { bounds: { timeout: '200ms' } });
    const client = new Client(`127.0.0.1:${server.ports.grpc}`, credentials.createInsecure());
    const path = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';

    const error = await new Promise((resolve) => {
      // A stream of the client, which sends nothing and does not end.
      client.makeClientStreamRequest(path, same, same, new Metadata(), (failure) => resolve(failure));
    });
    client.close();

    expect(error).toMatchObject({ code: status.DEADLINE_EXCEEDED, details: 'no message came in 200 ms' });
  });
});

describe('serve', () => {
  it.each<readonly [string, object, RegExp]>([
    ['no secret', { secret: undefined }, /secret is missing: it must be a text of at least 16 characters/],
    ['a short secret', { secret: 'short' }, /secret must be a text of at least 16 characters, got text/],
    ['a misspelled option', { secrt: SECRET }, /secrt is not an option here: did you mean secret\?/],
    ['a misspelled port', { listen: { gprc: 0 } }, /listen\.gprc is not an option here: did you mean grpc\?/],
    ['a port that is none', { listen: { http: 'web' } }, /listen\.http must be a port/],
    ['a bound that is none', { bounds: { bytes: 1 } }, /bounds\.bytes must be an integer from 1024/],
    ['a short token', { tokens: ['x'] }, /tokens must be an array of at least one text of 16 to 256 characters/],
    [
      'a port in the place of listen',
      { listen: 8080 },
      /listen must be an object, such as \{ http: 8080, grpc: 8081 \}, got 8080/,
    ],
    ['a number in the place of bounds', { bounds: 5 }, /bounds must be an object, such as \{ bytes: 262144 \}, got 5/],
    ['an array of limiters', { limiters: ['api'] }, /limiters must be an object, .*, got an array of 1/],
    ['a key in the place of keys', { keys: () => 'a' }, /keys must be an object, .*, got the function keys/],
    ['a certificate in the place of tls', { tls: '-----BEGIN ' }, /tls must be an object, such as \{ cert, key \}/],
    ['no token in an array', { tokens: [] }, /tokens must be an array of at least one text/],
    ['no password of the dashboard', { dashboardTokens: [] }, /dashboardTokens must be an array of at least one text/],
    ['TLS without a key', { tls: { cert: '-----BEGIN ' } }, /tls\.key is missing/],
  ])('refuses %s', async (_what, options, message) => {
    await expect(serve({ file: 'limits.yaml', secret: SECRET, ...options })).rejects.toThrow(message);
  });

  it('refuses a file in the place of its options', async () => {
    await expect(serve('limits.yaml' as never)).rejects.toThrow('serve: options must be an object, got "limits.yaml"');
  });

  it('refuses a file whose key nobody has, and one whose tier has a misspelt rule', async () => {
    const start = (text: string) => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'));
      const file = join(folder, 'limits.yaml');
      writeFileSync(file, text);
      return serve({ file, secret: SECRET }).finally(() => rmSync(folder, { recursive: true }));
    };

    await expect(start(LIMITS.replace('key: ip,', 'key: ipp,'))).rejects.toThrow(
      /tier "ip-minute": key must be one of/,
    );
    await expect(start(LIMITS.replace('identities: [tenant]', 'identities: [tenent]'))).rejects.toThrow(
      /tier "tenant-hour": key must be one of/,
    );
  });
});

describe('openapi.json', () => {
  const start = withServers();
  const document = JSON.parse(readFileSync(join(root, 'packages', 'server', 'openapi.json'), 'utf8')) as ReturnType<
    typeof openApi
  >;

  it('is the document of the router, route by route', () => {
    const paths = document['paths'] as Readonly<Record<string, object>>;
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );

    expect(document).toEqual(JSON.parse(JSON.stringify(openApi())));
    expect(routes.toSorted()).toEqual([...Object.keys(ROUTES), 'GET /openapi.json'].toSorted());
  });

  it('describes what the routes answer', async () => {
    const { post } = await start(LIMITS);
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(document, 'api');
    const check = { limiter: 'api', request: { ip: '192.0.2.1' }, identities: { tenant: 'acme' } };
    const job = (await post('/check', { limiter: 'jobs', identities: { tenant: 'acme' } })).body;
    const { receipt } = job;

    const replies: readonly (readonly [string, unknown])[] = [
      ['Check', check],
      ['Admitted', (await post('/check', check)).body],
      ['Denied', (await post('/check', check)).body],
      ['Renewed', (await post('/renew', { receipt })).body],
      ['Released', (await post('/release', { receipt })).body],
      ['Settled', (await post('/settle', { receipt, cost: 2 })).body],
      ['Refunded', (await post('/refund', { receipt })).body],
      ['Problem', (await post('/refund', {})).body],
    ];

    for (const [name, value] of replies) {
      const validate = ajv.getSchema(`api#/components/schemas/${name}`)!;
      expect([name, validate(value), validate.errors]).toEqual([name, true, null]);
    }
  });
});

describe('limits.schema.json of the service', () => {
  it('is that of policies, with the rules of descriptors', () => {
    const text = readFileSync(join(root, 'packages', 'server', 'limits.schema.json'), 'utf8');

    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(limitsSchema({ server: rulesSchema }))));
  });
});
