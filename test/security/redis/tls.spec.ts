import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter, subscribe, type Decision, type Store } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { listen } from '../../support/listener.js';
import { onFreePort } from '../../support/free-port.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { makeAuthority, whyNotSigned, type Authority, type Certificate } from './certificates.js';

const reason = whyNotSigned();
if (reason !== undefined) console.log(`TLS is not tested: ${reason}`);
const describeTls = reason === undefined ? describe : describe.skip;

describeTls('a store that connects with TLS', () => {
  let folder: string;
  let authority: Authority;
  let stranger: Authority;
  let server: RedisServer;
  let port: number;
  let own: Certificate;
  let store: Store | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-tls-'));
    authority = await makeAuthority(folder, 'authority');
    stranger = await makeAuthority(folder, 'stranger');
    own = await authority.sign('127.0.0.1');
  });

  afterEach(async () => {
    await store?.close();
    await server.stop();
  });

  afterAll(() => rm(folder, { recursive: true }));

  /** A server that requires client certificates, or does not. */
  const start = ({ cert, key }: Certificate, clients: 'yes' | 'no') =>
    onFreePort(async (free) => {
      const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.path];
      server = await startRedis({
        args: ['--port', '0', '--tls-port', `${free}`, '--tls-auth-clients', clients, ...files],
      });
      port = free;
    });
  const open = (url: string, tls: object) => {
    store = redisStore({ url, connection: { tls } }, { deadline: '5s' });
    return createLimiter<string>({ store, name: 'hour', limit: 10, window: '1h', key: (subject) => subject });
  };

  it('connects to a server with a certificate of its authority', async () => {
    await start(own, 'no');
    const limiter = open(`rediss://127.0.0.1:${port}`, { ca: authority.ca });

    const decision = await limiter.consume('ada');

    expect(decision).toMatchObject({ source: 'redis', degraded: false });
  });

  it('presents a client certificate', async () => {
    await start(own, 'yes');
    const [cert, key] = await Promise.all([readFile(own.cert), readFile(own.key)]);
    const limiter = open(`rediss://127.0.0.1:${port}`, { ca: authority.ca, cert, key });

    const decision = await limiter.consume('ada');

    expect(decision).toMatchObject({ source: 'redis', degraded: false });
  });

  it.each([
    ['of a server that another authority has signed', () => own, () => stranger.ca, /certificate/],
    ['of another address', () => authority.sign('127.0.0.2'), () => authority.ca, /IP: 127\.0\.0\.1 is not in/],
  ])('rejects the certificate %s, warns once, and limits in the process', async (_, certificate, ca, problem) => {
    await start(await certificate(), 'no');
    const { faults, breaker, stop } = listening();
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const way = await counting(port);
    const limiter = open(way.url, { ca: ca() });

    const decisions: Decision[] = [];
    while (way.connections < 3 || decisions.length < 20 || faults.length === 0) {
      decisions.push(await limiter.consume('ada'));
      await new Promise(setImmediate);
    }
    await store?.close();
    await way.close();
    stop();

    expect(decisions.every(({ degraded, source }) => degraded && source === 'local')).toBe(true);
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
    expect(faults).toEqual([expect.stringMatching(problem)]);
    expect(breaker).toEqual([]);
    warned.mockRestore();
  });
});

function listening() {
  const faults: string[] = [];
  const breaker: string[] = [];
  const ends = [
    subscribe('sluice:config-fault', ({ problem }) => faults.push(problem)),
    subscribe('sluice:breaker', ({ state }) => breaker.push(state)),
  ];
  return { faults, breaker, stop: () => ends.forEach((end) => end()) };
}

/** A proxy of a server that counts connections. */
async function counting(server: number) {
  let connections = 0;
  const listener = await listen((client) => {
    connections += 1;
    const behind = connect(server, '127.0.0.1');
    behind.on('error', () => undefined);
    client.pipe(behind).pipe(client);
    client.once('close', () => behind.destroy());
  });
  return {
    url: `rediss://127.0.0.1:${listener.port}`,
    get connections() {
      return connections;
    },
    close: () => listener.close(),
  };
}
