import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until, untilAnswered } from '../support/until.js';
import { within } from '../support/within.js';
import { ServiceProcess } from './service-process.js';

const LIMIT = 40;
/** More than the service waits for Redis: 50 ms. */
const BOUND_MS = 20_000;
const IP = { remote_address: '192.0.2.1' };
const CHECK = { limiter: 'api', request: { ip: '192.0.2.1' } };

describe('The service while Redis is away', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-outage-'));
  const file = join(folder, 'limits.yaml');
  let redis: RedisServer;
  const services: ServiceProcess[] = [];

  beforeAll(() => {
    writeFileSync(
      file,
      `
version: 1
limiters: { api: { tiers: [{ name: ip-hour, key: ip, limit: ${LIMIT}, window: 1h, algorithm: fixed-window }] } }
extensions: { server: { descriptors: [{ tier: ip-hour, from: [remote_address] }] } }
`,
    );
  });
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    const ends = await Promise.all(services.splice(0).map((service) => service.stop()));
    await redis.stop();
    if (ends.some(([code]) => code !== 0)) throw new Error('a process has not ended by itself');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function start(...args: readonly string[]): Promise<ServiceProcess> {
    const service = await ServiceProcess.start(file, ['--redis', redis.url, ...args]);
    services.push(service);
    return service;
  }

  /** The codes of checks by gRPC and the statuses of checks by HTTP, each bounded. */
  async function ask(service: ServiceProcess, times: number) {
    const { client } = service;
    const answers = [];
    for (let count = 0; count < times; count += 1) {
      const reply = await within(BOUND_MS, () => client.check('api', IP).catch((error: unknown) => error as object));
      const { status: http, body } = await within(BOUND_MS, () => service.post('/check', CHECK));
      answers.push({ grpc: reply as { readonly overall_code?: string; readonly code?: number }, http, body });
    }
    client.close();
    return answers;
  }

  /** Redis decides again. */
  async function recovers(service: ServiceProcess): Promise<void> {
    await untilAnswered(async () => {
      const { body } = await service.post('/check', { ...CHECK, request: { ip: '192.0.2.99' } });
      return (body['decision'] as { source: string } | undefined)?.source === 'redis';
    });
  }

  it.each<readonly [string, (server: RedisServer) => Promise<unknown>, (server: RedisServer) => Promise<unknown>]>([
    ['has died', async (server) => server.process.kill('SIGKILL'), (server) => server.restart()],
    ['hangs', async (server) => server.process.kill('SIGSTOP'), async (server) => server.process.kill('SIGCONT')],
  ])(
    'fails calls with UNAVAILABLE and 503 where the policy denies and Redis %s, and recovers',
    async (_how, away, back) => {
      const service = await start('--on-store-failure', 'deny');
      const before = await ask(service, 1);

      await away(redis);
      await untilAnswered(async () => (await service.post('/check', CHECK)).status === 503);
      const during = await ask(service, 3);
      const counted = await service.metric(
        'sluice_server_calls_total',
        'sluice_protocol="grpc",sluice_result="unavailable"',
      );
      const degraded = await service.metric('sluice_degraded_operations_total');
      await back(redis);
      await recovers(service);

      expect(before).toMatchObject([{ grpc: { overall_code: 'OK' }, http: 200 }]);
      for (const { grpc, http, body } of during) {
        expect(grpc).toMatchObject({ code: status.UNAVAILABLE, details: expect.stringContaining('Redis is away') });
        expect([http, body['status']]).toEqual([503, 503]);
      }
      expect(counted).toBe(3);
      expect(degraded).toBeGreaterThanOrEqual(6);
      expect(await ask(service, 1)).toMatchObject([{ grpc: { overall_code: 'OK' }, http: 200 }]);
    },
  );

  it('limits alone by its share, in each of two processes', async () => {
    const pair = [await start('--share', '0.5'), await start('--share', '0.5')];
    redis.process.kill('SIGKILL');
    await Promise.all(pair.map((service) => degrades(service)));

    const answers = await Promise.all(pair.map((service) => ask(service, LIMIT)));

    for (const each of answers) {
      const admitted = each.flatMap(({ grpc, http }) => [grpc.overall_code === 'OK', http === 200]).filter(Boolean);
      // Some were asked until the process had seen that Redis is away.
      expect(admitted.length).toBeLessThanOrEqual(LIMIT / 2);
      expect(each.at(-1)).toMatchObject({ grpc: { overall_code: 'OVER_LIMIT' }, http: 429 });
    }
  });

  it('admits all where the policy allows, and says so in its answers and metrics', async () => {
    const service = await start('--on-store-failure', 'allow');
    redis.process.kill('SIGKILL');
    await degrades(service);

    const answers = await ask(service, LIMIT + 1);

    expect(answers.every(({ grpc, http }) => grpc.overall_code === 'OK' && http === 200)).toBe(true);
    expect(answers[0]!.body['decision']).toMatchObject({ degraded: true });
    expect(await service.metric('sluice_degraded_operations_total', 'sluice_fallback="allow"')).toBeGreaterThan(LIMIT);
  });

  it('starts without Redis, says so, limits alone, and joins Redis when it is there', async () => {
    redis.process.kill('SIGKILL');

    const service = await within(BOUND_MS * 2, () => start());
    const answers = await ask(service, 1);
    await redis.restart();
    await recovers(service);

    expect(service.log).toMatch(/redis/i);
    expect(answers).toMatchObject([
      { grpc: { overall_code: 'OK' }, http: 200, body: { decision: { degraded: true } } },
    ]);
  });

  it('stays ready and healthy, because it answers', async () => {
    const service = await start();
    redis.process.kill('SIGKILL');
    await degrades(service);

    const ready = await fetch(`http://127.0.0.1:${service.operations}/readyz`);

    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'SERVING' }]);
  });

  async function degrades(service: ServiceProcess): Promise<void> {
    await until(async () => {
      const { body } = await service.post('/check', { ...CHECK, request: { ip: '192.0.2.98' } });
      return (body['decision'] as { degraded: boolean }).degraded;
    });
  }
});
