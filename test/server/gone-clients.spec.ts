import { request as requestByHttp } from 'node:http';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { createLimiter } from '@sluice/core';
import { ServedLimiter } from '../../packages/server/src/deciding/served-limiter.js';
import type { ServedRequest } from '../../packages/server/src/deciding/served-request.js';
import { ServedResponse } from '../../packages/server/src/deciding/served-response.js';
import { frameOf } from '../../packages/server/src/grpc/message-frame.js';
import { entriesOf, type Entries, methodOf } from './rate-limit-client.js';
import { type Served, withServers } from './with-server.js';

const LINES = `
version: 1
limiters:
  bucket: { tiers: [{ name: turn, key: ip, limit: 1, window: 1h, algorithm: leaky-bucket, queue: 1 }] }
  permits: { tiers: [{ name: running, key: ip, limit: 1, algorithm: concurrency, hold: 1h, wait: 1h, queue: 1 }] }
extensions:
  server:
    descriptors:
      - { limiter: bucket, tier: turn, from: [remote_address] }
      - { limiter: permits, tier: running, from: [remote_address] }
`;
const IP = { remote_address: '192.0.2.1' };
const PATH = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';
const { requestSerialize, responseDeserialize } = methodOf('ShouldRateLimit');

describe('A program that goes while it waits', () => {
  const start = withServers();
  const opened: ClientHttp2Session[] = [];
  afterEach(() => {
    for (const session of opened.splice(0)) session.destroy();
  });

  function sessionOf({ server }: Served): ClientHttp2Session {
    const session = connect(`http://127.0.0.1:${server.ports.grpc}`);
    session.on('error', () => undefined);
    opened.push(session);
    return session;
  }

  /** A call of gRPC as bytes on a stream, which may be reset at any time. */
  function call(session: ClientHttp2Session, domain: string, descriptors: readonly Entries[], headers: object = {}) {
    const stream = session.request({
      ':method': 'POST',
      ':path': PATH,
      'content-type': 'application/grpc',
      ...headers,
    });
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const serialize = requestSerialize as (request: object) => Buffer;
    stream.end(frameOf(serialize({ domain, descriptors: descriptors.map((each) => ({ entries: entriesOf(each) })) })));
    const answer = new Promise<string>((resolve) => {
      stream.once('close', () => {
        const bytes = Buffer.concat(chunks);
        const read = responseDeserialize as (bytes: Buffer) => { readonly overall_code: string };
        resolve(bytes.length === 0 ? 'none' : read(bytes.subarray(5)).overall_code);
      });
    });
    return { stream, answer };
  }

  /** A check over HTTP of which nobody reads the answer. */
  function checkByHttp({ server }: Served, limiter: string) {
    const body = JSON.stringify({ limiter, request: { ip: '192.0.2.1' } });
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const sent = requestByHttp({
      host: '127.0.0.1',
      port: server.ports.http,
      path: '/check',
      method: 'POST',
      headers,
      agent: false,
    });
    sent.on('error', () => undefined);
    sent.end(body);
    return sent;
  }

  /** A full queue denies. Who is not denied leaves it by a deadline. */
  async function isFull(served: Served, limiter: string): Promise<boolean> {
    const session = sessionOf(served);
    const code = await call(session, limiter, [IP], { 'grpc-timeout': '20m' }).answer;
    session.destroy();
    return code === 'OVER_LIMIT';
  }

  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds()));
  }

  const WAYS: Readonly<Record<string, (served: Served, limiter: string) => () => void>> = {
    'cancels its call': (served, limiter) => {
      const { stream } = call(sessionOf(served), limiter, [IP]);
      return () => stream.close(constants.NGHTTP2_CANCEL);
    },
    'cancels a call of two rounds': (served, limiter) => {
      const { stream } = call(sessionOf(served), limiter, [{ remote_address: '192.0.2.2' }, IP]);
      return () => stream.close(constants.NGHTTP2_CANCEL);
    },
    'closes its connection of gRPC': (served, limiter) => {
      const session = sessionOf(served);
      call(session, limiter, [IP]);
      return () => session.destroy();
    },
    'closes its connection of HTTP': (served, limiter) => {
      const sent = checkByHttp(served, limiter);
      return () => sent.destroy();
    },
  };
  const LIMITERS = [
    ['a leaky bucket', 'bucket'],
    ['the line for a permit', 'permits'],
  ] as const;
  const rows = Object.keys(WAYS).flatMap((way) => LIMITERS.map(([where, limiter]) => [where, way, limiter] as const));

  it.each(rows)('gives its place in %s up when it %s', async (_where, way, limiter) => {
    const served = await start(LINES);
    await served.client.check(limiter, IP);
    const leave = WAYS[way]!(served, limiter);
    await until(() => isFull(served, limiter));

    leave();

    await until(async () => !(await isFull(served, limiter)));
    expect(await isFull(served, limiter)).toBe(false);
  });

  it.each(LIMITERS)('gives its place in %s up when its deadline passes', async (_where, limiter) => {
    const served = await start(LINES);
    await served.client.check(limiter, IP);

    expect([await isFull(served, limiter), await isFull(served, limiter)]).toEqual([false, false]);
  });

  it('gives the permit of an earlier round back', async () => {
    const served = await start(LINES);
    const other = { remote_address: '192.0.2.2' };
    await served.client.check('permits', IP);
    const { stream } = call(sessionOf(served), 'permits', [other, IP]);
    await until(() => isFull(served, 'permits'));

    stream.close(constants.NGHTTP2_CANCEL);
    await until(async () => !(await isFull(served, 'permits')));

    await expect(served.client.check('permits', other)).resolves.toMatchObject({ overall_code: 'OK' });
  });

  it('is counted once as gone, by its protocol', async () => {
    const served = await start(LINES);
    await served.client.check('permits', IP);
    const leave = WAYS['closes its connection of HTTP']!(served, 'permits');
    await until(() => isFull(served, 'permits'));
    leave();
    await until(async () => !(await isFull(served, 'permits')));

    const text = await (await fetch(`http://127.0.0.1:${served.server.ports.operations}/metrics`)).text();

    expect(text).toMatch(/sluice_server_calls_total\{sluice_protocol="http",sluice_result="gone"\} 1\n/);
  });
});

describe('ServedLimiter', () => {
  const question = { tiers: undefined, cost: 1, isPeek: false };

  it('ends the permit of a program that has gone while the store decided', async () => {
    const limiter = createLimiter<ServedRequest>({
      tiers: [{ name: 'running', key: ({ ip }) => ip!, algorithm: 'concurrency', limit: 1, hold: '1h' }],
    });
    const served = new ServedLimiter('jobs', limiter, undefined);
    const gone = new ServedResponse();
    gone.close();

    const answers = [
      await served.ask({ ip: '192.0.2.1' }, question, gone),
      await served.ask({ ip: '192.0.2.1' }, question),
    ];

    expect(answers).toMatchObject([undefined, { decision: { allowed: true } }]);
    await limiter.close();
  });
});
