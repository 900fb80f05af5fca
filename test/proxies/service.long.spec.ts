import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { RateLimitClient } from '../server/rate-limit-client.js';
import { ServiceProcess } from '../server/service-process.js';
import { post } from '../server/with-server.js';
import { startCluster } from '../support/cluster.js';
import { startRedis } from '../support/redis.js';
import { startSentinelGroup } from '../support/sentinel-group.js';
import { untilAnswered } from '../support/until.js';
import { startBalancer, type Backend, type Balancer } from './balancer.js';

const LIMIT = 600;
const REQUESTS = 1_600;
const IN_FLIGHT = 40;
const PROCESSES = 4;
const TIMEOUT_MS = 120_000;
const LIMITS = `
version: 1
limiters: { api: { tiers: [{ name: ip-day, key: ip, limit: ${LIMIT}, window: 1d, algorithm: fixed-window }] } }
extensions: { server: { descriptors: [{ tier: ip-day, from: [remote_address] }] } }
`;

interface Servers {
  start(file: string): Promise<ServiceProcess>;
  /** Another server takes the place of the one that has the counts. Only where `hasFailover`. */
  failOver(): Promise<void>;
  stop(): Promise<unknown>;
}

const none = () => Promise.reject(new Error('there is no other server'));

const kinds: readonly [name: string, start: () => Promise<Servers>, hasFailover: boolean][] = [
  [
    'a Redis',
    async () => {
      const redis = await startRedis();
      const args = ['--redis', redis.url, '--deadline', '10s'];
      return { start: (file) => ServiceProcess.start(file, args), failOver: none, stop: () => redis.stop() };
    },
    false,
  ],
  [
    'a Redis Cluster',
    async () => {
      const cluster = await startCluster();
      const urls = cluster.startupNodes.map(({ host, port }) => `redis://${host}:${port}`);
      const args = ['--redis-cluster', ...urls, '--deadline', '10s'];
      return { start: (file) => ServiceProcess.start(file, args), failOver: none, stop: () => cluster.stop() };
    },
    false,
  ],
  [
    'Sentinels',
    async () => {
      const sentinels = await startSentinelGroup();
      const addresses = sentinels.group.sentinels.map(({ host, port }) => `${host}:${port}`);
      const args = ['--redis-sentinels', ...addresses, '--redis-name', sentinels.group.name, '--deadline', '10s'];
      return {
        start: (file) => ServiceProcess.start(file, args),
        async failOver() {
          const before = await sentinels.primary();
          await inStep(before.url);
          await sentinels.failover();
          await untilAnswered(async () => (await sentinels.primary()) !== before);
          await isReplica(before.url);
        },
        stop: () => sentinels.stop(),
      };
    },
    true,
  ],
];

/** Resolves when both replicas have all writes: what they lack is lost with the primary. */
async function inStep(url: string): Promise<void> {
  const client = new Redis(url);
  // WAIT is about the writes of its own connection.
  await client.set('in-step', '1');
  await client.wait(2, 0);
  client.disconnect();
}

/** Resolves when a server that was the primary takes no writes any more. */
async function isReplica(url: string): Promise<void> {
  const client = new Redis(url);
  await untilAnswered(async () => (await client.info('replication')).includes('role:slave'));
  client.disconnect();
}

/** Resolves when a process decides by Redis again. While it finds no primary it limits alone. */
async function decidesByRedis(service: ServiceProcess): Promise<void> {
  await untilAnswered(async () => {
    const { body } = await service.post('/check', { limiter: 'api', request: { ip: '203.0.113.99' } });
    return !(body['decision'] as { readonly degraded: boolean }).degraded;
  });
}

interface Flood {
  /** What was left after each request that was admitted. */
  readonly left: readonly number[];
  /** Requests that had no answer. */
  readonly lost: number;
}

/** Sends requests of one address, by both protocols in turn. @param onAdmitted is told how many were admitted */
async function flood(at: Backend, ip: string, requests: number, onAdmitted: (count: number) => void = () => undefined) {
  const clients = Array.from({ length: 8 }, () => new RateLimitClient(at.grpc));
  const left: number[] = [];
  let lost = 0;
  let next = 0;
  const work = async () => {
    while (next < requests) {
      const number = next;
      next += 1;
      try {
        const remaining =
          number % 2 === 0 ? await byGrpc(clients[(number / 2) % clients.length]!, ip) : await byHttp(at.http, ip);
        if (remaining === undefined) continue;
        left.push(remaining);
        onAdmitted(left.length);
      } catch {
        lost += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  for (const client of clients) client.close();
  return { left, lost } satisfies Flood;
}

async function byGrpc(client: RateLimitClient, ip: string): Promise<number | undefined> {
  const { overall_code, statuses } = await client.check('api', { remote_address: ip });
  return overall_code === 'OK' ? statuses[0]!.limit_remaining : undefined;
}

async function byHttp(port: number, ip: string): Promise<number | undefined> {
  const { status, headers } = await post(port, '/check', { limiter: 'api', request: { ip } });
  if (status !== 200 && status !== 429) throw new Error(`the service answers ${status}`);
  return status === 200 ? Number(headers.get('x-ratelimit-remaining')) : undefined;
}

/** What is left of an address, by each protocol. */
async function leftOf(at: Backend, ip: string): Promise<readonly number[]> {
  const client = new RateLimitClient(at.grpc);
  const entries = [{ key: 'remote_address', value: ip }];
  const reply = await client.send({ domain: 'api', descriptors: [{ entries, hits_addend: { value: 0 } }] });
  client.close();
  const { body } = await post(at.http, '/check', { limiter: 'api', request: { ip }, peek: true });
  const { outcomes } = body['decision'] as { readonly outcomes: readonly { readonly remaining: number }[] };
  return [reply.statuses[0]!.limit_remaining, outcomes[0]!.remaining];
}

describe.each(kinds)('Four processes of the service behind one address, on %s,', (_name, startServers, hasFailover) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-address-'));
  let servers: Servers;
  let services: ServiceProcess[];
  let balancer: Balancer;

  beforeAll(async () => {
    const file = join(folder, 'limits.yaml');
    writeFileSync(file, LIMITS);
    servers = await startServers();
    services = await Promise.all(Array.from({ length: PROCESSES }, () => servers.start(file)));
    balancer = await startBalancer(services);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await balancer.stop();
    await Promise.all(services.map((service) => service.stop()));
    await servers.stop();
    rmSync(folder, { recursive: true });
  }, TIMEOUT_MS);

  it(
    'admit exactly the limit of one identity, and agree about what is left',
    async () => {
      const { left, lost } = await flood(balancer, '203.0.113.7', REQUESTS);

      expect(lost).toBe(0);
      expect(left.toSorted((one, other) => one - other)).toEqual(Array.from({ length: LIMIT }, (_, units) => units));
      expect(await leftOf(balancer, '203.0.113.7')).toEqual([0, 0]);
      // The address is that of all of them.
      const calls = await Promise.all(services.map((service) => service.metric('sluice_server_calls_total')));
      expect(calls.filter((count) => count > REQUESTS / PROCESSES / 2)).toHaveLength(PROCESSES);
    },
    TIMEOUT_MS,
  );

  it(
    'take each other’s receipts',
    async () => {
      const check = { limiter: 'api', request: { ip: '203.0.113.9' }, cost: 10 };
      const { body } = await services[0]!.post('/check', check);

      const refunded = await Promise.all(
        services.map((service) => service.post('/refund', { receipt: body['receipt'] })),
      );

      expect(refunded.map(({ body: { given } }) => given as number).toSorted((one, other) => one - other)).toEqual([
        0, 0, 0, 10,
      ]);
      expect(await leftOf(balancer, '203.0.113.9')).toEqual([LIMIT, LIMIT]);
    },
    TIMEOUT_MS,
  );

  if (hasFailover) {
    it(
      'admit no unit twice when the place of the primary is taken',
      async () => {
        const first = await flood(balancer, '203.0.113.10', LIMIT / 3);

        await servers.failOver();
        await Promise.all(services.map(decidesByRedis));
        const rest = await flood(balancer, '203.0.113.10', REQUESTS);

        expect([first.lost, first.left.length]).toEqual([0, LIMIT / 3]);
        expect([rest.lost, rest.left.length]).toEqual([0, (LIMIT * 2) / 3]);
      },
      TIMEOUT_MS,
    );
  }

  it(
    'admit no unit twice when one of them is killed under load',
    async () => {
      const { left, lost } = await flood(balancer, '203.0.113.8', REQUESTS, (count) => {
        if (count === LIMIT / 3) services[0]!.child.kill('SIGKILL');
      });

      expect(new Set(left).size).toBe(left.length);
      expect(left.length).toBeLessThanOrEqual(LIMIT);
      // A unit that was charged without an answer is one of a request that the process has not answered.
      expect(left.length + lost).toBeGreaterThanOrEqual(LIMIT);
      expect(lost).toBeLessThanOrEqual(IN_FLIGHT * 2);
      expect(await leftOf(balancer, '203.0.113.8')).toEqual([0, 0]);
    },
    TIMEOUT_MS,
  );
});
