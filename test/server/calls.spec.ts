import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { deflateSync, gzipSync } from 'node:zlib';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { GrpcConnection } from '../../packages/server/src/grpc/grpc-connection.js';
import { UntakenAnswers } from '../../packages/server/src/grpc/untaken-answers.js';
import { frameOf } from '../../packages/server/src/grpc/message-frame.js';
import { LIMITS } from './limits.js';
import { entriesOf, methodOf } from './rate-limit-client.js';
import { withServers } from './with-server.js';

const PATH = '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit';
const { requestSerialize } = methodOf('ShouldRateLimit');
const message = (requestSerialize as (request: object) => Buffer)({
  domain: 'api',
  descriptors: [{ entries: entriesOf({ remote_address: '192.0.2.1' }) }],
});
const same = (bytes: Buffer) => bytes;

/** A frame whose first byte says that it is compressed. */
function compressed(bytes: Buffer): Buffer {
  const frame = frameOf(bytes);
  frame[0] = 1;
  return frame;
}

describe('A call of gRPC', () => {
  const start = withServers();
  const sessions: ClientHttp2Session[] = [];
  afterEach(() => {
    for (const opened of sessions.splice(0)) opened.destroy();
  });

  function session(port: number): ClientHttp2Session {
    const opened = connect(`http://127.0.0.1:${port}`);
    opened.on('error', () => undefined);
    sessions.push(opened);
    return opened;
  }

  /** The status of HTTP and of gRPC, and what it says. */
  function call(to: ClientHttp2Session, body: Buffer, headers: object = {}, isEnded = true) {
    const stream = to.request({ ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', ...headers });
    const read: IncomingHttpHeaders = {};
    stream.on('response', (each) => Object.assign(read, each));
    stream.on('trailers', (each) => Object.assign(read, each));
    stream.on('error', () => undefined);
    if (isEnded) stream.end(body);
    else stream.write(body);
    stream.resume();
    return new Promise<readonly unknown[]>((resolve) => {
      stream.once('close', () => resolve([read[':status'], Number(read['grpc-status']), read['grpc-message']]));
    });
  }

  it('takes a message as it is, in pieces, and compressed by gzip or deflate', async () => {
    const { server } = await start(LIMITS);
    const to = session(server.ports.grpc!);
    const pieces = to.request({ ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc+proto' });
    const inPieces = new Promise((resolve) => pieces.once('trailers', (each) => resolve(each['grpc-status'])));
    for (const byte of frameOf(message)) pieces.write(Buffer.of(byte));
    pieces.end();
    pieces.resume();

    expect(await inPieces).toBe('0');
    expect(await call(to, frameOf(message))).toEqual([200, status.OK, undefined]);
    expect(await call(to, compressed(gzipSync(message)), { 'grpc-encoding': 'gzip' })).toEqual([
      200,
      status.OK,
      undefined,
    ]);
    expect(await call(to, compressed(deflateSync(message)), { 'grpc-encoding': 'deflate' })).toEqual([
      200,
      status.OK,
      undefined,
    ]);
  });

  it.each<readonly [string, Buffer, object, number, RegExp]>([
    ['no message', Buffer.alloc(0), {}, status.UNIMPLEMENTED, /must have one message, got none/],
    ['two messages', Buffer.concat([frameOf(message), frameOf(message)]), {}, status.UNIMPLEMENTED, /got more/],
    ['a message that is cut', frameOf(message).subarray(0, 20), {}, status.INTERNAL, /ends behind the call/],
    [
      'a compression that it does not know',
      compressed(message),
      { 'grpc-encoding': 'br' },
      status.UNIMPLEMENTED,
      /gzip or deflate/,
    ],
    [
      'a message that says it is compressed',
      compressed(message),
      { 'grpc-encoding': 'gzip' },
      status.INTERNAL,
      /cannot be read/,
    ],
    [
      'a message that grows when it is read',
      compressed(gzipSync(Buffer.alloc(9e6))),
      { 'grpc-encoding': 'gzip' },
      status.RESOURCE_EXHAUSTED,
      /at most 262144 bytes/,
    ],
    [
      'a message that is too large',
      frameOf(Buffer.alloc(270_000)),
      {},
      status.RESOURCE_EXHAUSTED,
      /at most 262144 bytes/,
    ],
    ['another method', frameOf(message), { ':path': '/other' }, status.UNIMPLEMENTED, /no such method/],
    ['a deadline that is none', frameOf(message), { 'grpc-timeout': 'soon' }, status.INTERNAL, /grpc-timeout must be/],
  ])('is refused with %s', async (_what, body, headers, code, details) => {
    const { server } = await start(LIMITS);

    const refused = await call(session(server.ports.grpc!), body, headers);

    expect(refused).toEqual([200, code, expect.stringMatching(details)]);
  });

  it('is refused by HTTP where it is none', async () => {
    const { server } = await start(LIMITS);
    const to = session(server.ports.grpc!);

    expect((await call(to, message, { 'content-type': 'application/json' }))[0]).toBe(415);
    expect((await call(to, message, { 'content-type': 'application/grpc-web' }))[0]).toBe(415);
  });

  it('says in any language why it is refused', async () => {
    const { client } = await start(LIMITS);

    const error = await client.check('größe 100 %', { remote_address: '192.0.2.1' }).catch((each: unknown) => each);

    expect(error).toMatchObject({ details: expect.stringContaining('got "größe 100 %"') });
  });

  it('ends by the deadline of its client while it waits in a queue', async () => {
    const queued = `
version: 1
limiters: { api: { tiers: [{ name: line, key: ip, limit: 1, window: 1h, algorithm: leaky-bucket, queue: 3 }] } }
extensions: { server: { descriptors: [{ tier: line, from: [remote_address] }] } }
`;
    const { server } = await start(queued);
    const to = session(server.ports.grpc!);
    await call(to, frameOf(message));

    expect(await call(to, frameOf(message), { 'grpc-timeout': '50m' })).toEqual([
      200,
      status.DEADLINE_EXCEEDED,
      'the deadline of the call has passed',
    ]);
  });

  it('keeps no more than 1 MB of messages that do not end, on one connection', async () => {
    const { server } = await start(LIMITS);
    const to = session(server.ports.grpc!);
    const frame = frameOf(Buffer.alloc(60_000)).subarray(0, 59_000);

    const refused: unknown[] = [];
    const calls = Array.from({ length: 24 }, () => call(to, frame, {}, false).then((each) => refused.push(each)));
    await Promise.race(calls);
    const others = await call(session(server.ports.grpc!), frameOf(message));

    expect(refused[0]).toEqual([
      200,
      status.RESOURCE_EXHAUSTED,
      expect.stringMatching(/unfinished messages of a connection/),
    ]);
    expect(others[1]).toBe(status.OK);
  });

  it('that watches the health is told of the end, and ends', async () => {
    const { server } = await start(LIMITS);
    const client = new Client(`127.0.0.1:${server.ports.grpc}`, credentials.createInsecure());
    const watch = (name: string) => {
      const request = Buffer.concat([Buffer.of(10, name.length), Buffer.from(name)]);
      return client.makeServerStreamRequest('/grpc.health.v1.Health/Watch', same, same, request, new Metadata());
    };
    const told: number[] = [];
    const known = watch('');
    known.on('data', (reply: Buffer) => told.push(reply[1]!));
    const unknown = watch('other');
    unknown.on('data', (reply: Buffer) => told.push(reply[1]!));
    const ends = [known, unknown].map((each) => new Promise((resolve) => each.once('end', resolve)));
    await Promise.all([known, unknown].map((each) => new Promise((resolve) => each.once('data', resolve))));

    await server.close(10_000);
    await Promise.all(ends);
    client.close();

    expect(told.toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
  });
});

describe('GrpcConnection', () => {
  /** A session that answers pings as it is told. */
  function connection() {
    const acts: string[] = [];
    const pongs: (() => void)[] = [];
    const session = {
      destroyed: false,
      ping: (pong: () => void) => pongs.push(pong),
      close: () => acts.push('close'),
      destroy: () => acts.push('destroy'),
    };
    const made = new GrpcConnection(session as never, 1_000);
    made.hold({ destroy: () => acts.push('destroy the socket') } as never);
    return { acts, pongs, session, made };
  }

  const LATER = performance.now() + 1e9;

  it('ends when it has had no call for five minutes', () => {
    const { acts, made } = connection();
    made.look(performance.now());

    expect(acts).toEqual([]);
    const idle = connection();
    idle.made.look(LATER);
    expect(idle.acts).toEqual(['close']);
  });

  it('lives on with a call that waits, if its client answers', () => {
    const { acts, pongs, made } = connection();
    made.begin();

    made.look(LATER);
    pongs[0]!();
    made.look(LATER);
    expect(acts).toEqual([]);

    made.look(LATER);
    expect(acts).toEqual(['destroy', 'destroy the socket']);
  });

  it('closes the socket of a session that has ended, because its client may never close its half', () => {
    const { acts, session, made } = connection();
    session.destroyed = true;

    made.look();

    expect(acts).toContain('destroy the socket');
  });
});

describe('UntakenAnswers', () => {
  const streams = (count: number, closed: number[]) =>
    Array.from({ length: count }, (_, number) => ({ close: () => closed.push(number) }) as never);

  it('end calls whose clients do not take the answer in their time, and no others', () => {
    const closed: number[] = [];
    const untaken = new UntakenAnswers(10_000);
    const [first, taken, last] = streams(3, closed) as [never, never, never];
    untaken.add(first, 0);
    untaken.add(taken, 0);
    untaken.delete(taken);
    untaken.add(last, 9_000);

    untaken.sweep(10_001);

    expect(closed).toEqual([0]);
  });

  it('end the oldest of too many after a moment', () => {
    const closed: number[] = [];
    const untaken = new UntakenAnswers(10_000);

    for (const each of streams(5_000, closed)) untaken.add(each, 0);
    const before = closed.length;
    untaken.sweep(1_001);

    expect([before, closed.length]).toEqual([0, 5_000 - 4_096]);
  });
});
