import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createLimiter } from '@sluice/core';
import { redisStore, type RedisOptions } from '@sluice/redis';
import { sluice } from '../cli/sluice.js';
import { makeAuthority, whyNotSigned } from '../security/redis/certificates.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { startSentinel, type Sentinel } from '../support/sentinel.js';
import { within } from '../support/within.js';

/** Below the 10 seconds that `ready()` waits for a server that is away. */
const EARLY_MS = 8_000;

let folder: string;
let plain: RedisServer;
let secure: RedisServer | undefined;
let securePort: number;
let sentinel: Sentinel;
let web: Server;
let webPort: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-wrong-'));
  plain = await startRedis();
  sentinel = await startSentinel(plain);
  web = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(web, 'listening');
  webPort = (web.address() as AddressInfo).port;
  if (whyNotSigned() !== undefined) return;
  const authority = await makeAuthority(folder, 'authority');
  const { cert, key } = await authority.sign('127.0.0.1');
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.path];
  secure = await startRedis({ args: ['--tls-auth-clients', 'no', ...files] });
  const admin = new Redis({ path: secure.path });
  // The port without TLS is that of the server: another server could take a port that is free now.
  const { port } = secure;
  await admin.config('SET', 'port', '0');
  await admin.config('SET', 'tls-port', String(port));
  admin.disconnect();
  securePort = port;
});

afterAll(async () => {
  web.close();
  await sentinel.stop();
  await Promise.all([plain.stop(), secure?.stop()]);
  await rm(folder, { recursive: true });
});

/** How `ready()` and a check of a store end. */
async function tried(from: RedisOptions) {
  const store = redisStore(from, { connectDeadline: '1m' });
  const limiter = createLimiter({ store, key: () => 'ada', name: 'minute', limit: 5, window: '1m' });
  const ends = () =>
    Promise.all([
      store.ready().then(
        () => 'ready',
        ({ message }: Error) => message,
      ),
      limiter.consume({}),
    ]);
  const [ready, { degraded }] = await within(EARLY_MS, ends);
  await store.close();
  return { ready, degraded };
}

const mistakes: [what: string, from: () => RedisOptions, message: () => string][] = [
  [
    'rediss:// to a port without TLS',
    () => ({ url: `rediss://127.0.0.1:${plain.port}` }),
    () => `PLAIN_PORT 127.0.0.1:${plain.port} does not speak TLS: write redis:// instead of rediss://`,
  ],
  [
    'the same to a Cluster',
    () => ({ cluster: [`rediss://127.0.0.1:${plain.port}`] }),
    () => `PLAIN_PORT 127.0.0.1:${plain.port} does not speak TLS`,
  ],
  [
    'Sentinels that do not know the group',
    () => ({ ...sentinel.group, name: 'another' }),
    () => `SENTINEL_GROUP the Sentinels watch no group another: they watch ${sentinel.group.name}: pass one as name`,
  ],
  [
    'a Sentinel as url',
    () => ({ url: `redis://${sentinel.host}:${sentinel.port}` }),
    () => 'If it is a Sentinel, write redisStore({ sentinels: [{ host, port }], name:',
  ],
  [
    'the port of a web server',
    () => ({ url: `redis://127.0.0.1:${webPort}` }),
    () => `NOT_REDIS 127.0.0.1:${webPort} speaks HTTP: write the host and the port of Redis`,
  ],
  ...(whyNotSigned() === undefined
    ? [
        [
          'redis:// to a port with TLS',
          () => ({ url: `redis://127.0.0.1:${securePort}` }),
          () => `TLS_PORT 127.0.0.1:${securePort} speaks TLS: write rediss:// instead of redis://`,
        ] as [string, () => RedisOptions, () => string],
      ]
    : []),
];

describe('redisStore', () => {
  it.each(mistakes)('names a mistake before it waits, and decides in the process: %s', async (_what, from, message) => {
    const emitted = jest.spyOn(process, 'emitWarning').mockImplementation();
    const outcome = await tried(from());
    emitted.mockRestore();

    expect(outcome).toEqual({ ready: expect.stringContaining(message()), degraded: true });
  });
});

describe('sluice', () => {
  const urls: [url: () => string, code: number, message: () => string][] = [
    [() => `rediss://127.0.0.1:${plain.port}`, 3, () => 'does not speak TLS: write redis:// instead of rediss://'],
    [() => `redis-sentinel://127.0.0.1:${sentinel.port}/0#another`, 3, () => 'no Sentinel watches the group another'],
    [() => `redis://127.0.0.1:${sentinel.port}`, 2, () => 'names a Sentinel: write redis-sentinel://'],
  ];

  it('reports the same problem for SLUICE_REDIS_URL', async () => {
    const runs = await Promise.all(urls.map(([url]) => sluice(['doctor'], { env: { SLUICE_REDIS_URL: url() } })));

    expect(runs).toEqual(
      urls.map(([, code, message]) => ({ code, stdout: '', stderr: expect.stringContaining(message()) })),
    );
  });
});
