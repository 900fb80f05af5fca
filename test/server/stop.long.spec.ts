import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { withRedis } from '../support/redis-store.js';
import { until, untilAnswered } from '../support/until.js';
import { within } from '../support/within.js';
import { RateLimitClient } from './rate-limit-client.js';
import { ServiceProcess } from './service-process.js';
import { post } from './with-server.js';

const CALLS = 200;
const BOUND_MS = 30_000;
const LIMITS = `
version: 1
limiters:
  api: { tiers: [{ name: ip-hour, key: ip, limit: 1000, window: 1h, algorithm: fixed-window }] }
  jobs: { tiers: [{ name: running, key: ip, limit: 2, algorithm: concurrency, hold: 1h }] }
extensions:
  server:
    descriptors:
      - { tier: ip-hour, from: [remote_address] }
      - { from: [path], unlimited: true }
`;
const IP = '192.0.2.1';

describe('A process of the service that is told to stop', () => {
  const redis = withRedis();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-stop-'));
  const file = join(folder, 'limits.yaml');
  const services: ServiceProcess[] = [];

  beforeAll(() => writeFileSync(file, LIMITS));
  beforeEach(() => redis.client.flushall());
  afterEach(async () => {
    redis.server.process.kill('SIGCONT');
    await Promise.all(services.splice(0).map((service) => service.stop()));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function start(...args: readonly string[]): Promise<ServiceProcess> {
    const service = await ServiceProcess.start(file, ['--redis', redis.server.url, '--deadline', '10s', ...args]);
    services.push(service);
    return service;
  }

  /** Calls that wait for Redis, which is stopped: half of each protocol. Resolves when the service has read all of them. */
  async function inFlight(service: ServiceProcess) {
    redis.server.process.kill('SIGSTOP');
    const clients = Array.from({ length: 4 }, () => new RateLimitClient(service.grpc));
    const grpc = Array.from({ length: CALLS / 2 }, (_, at) => clients[at % 4]!.check('api', { remote_address: IP }));
    // Of one connection, a later call is read after those before it.
    await Promise.all(clients.map((client) => client.check('api', { path: '/' })));
    const http = await Promise.all(Array.from({ length: CALLS / 2 }, () => checkInFlight(service.http)));
    return { clients, grpc, http };
  }

  it('says NOT_SERVING first, answers 200 calls in flight, takes no more, and exits with 0', async () => {
    const service = await start();
    const { clients, grpc, http } = await inFlight(service);

    service.child.kill('SIGTERM');
    await untilAnswered(async () => (await fetch(`http://127.0.0.1:${service.operations}/readyz`)).status === 503);
    await expect(post(service.http, '/check', {})).rejects.toThrow('fetch failed');
    const late = await new RateLimitClient(service.grpc).check('api', { path: '/' }).catch((error: unknown) => error);
    redis.server.process.kill('SIGCONT');
    const replies = await Promise.all(grpc);
    const texts = await Promise.all(http.map(({ answer }) => answer));
    const end = await within(BOUND_MS, () => service.ended);
    for (const client of clients) client.close();

    expect(late).toMatchObject({ code: status.UNAVAILABLE });
    expect(replies.map(({ overall_code }) => overall_code)).toEqual(Array.from({ length: CALLS / 2 }, () => 'OK'));
    expect(texts.every((text) => text.startsWith('HTTP/1.1 200 ') && /connection: close/i.test(text))).toBe(true);
    expect(end).toEqual([0, null]);
  });

  it('cuts calls that are not answered in the time that it may take, and exits with 0', async () => {
    const service = await start('--drain', '1');
    const { clients, grpc, http } = await inFlight(service);
    const ends = Promise.allSettled([...grpc, ...http.map(({ answer }) => answer)]);

    const end = await within(BOUND_MS, () => service.stop());

    expect(end).toEqual([0, null]);
    expect((await ends).map(({ status: how }) => how)).toContain('rejected');
    for (const client of clients) client.close();
  });

  it('ends immediately at the second signal', async () => {
    const service = await start();
    const { clients, grpc, http } = await inFlight(service);
    void Promise.allSettled([...grpc, ...http.map(({ answer }) => answer)]);

    service.child.kill('SIGTERM');
    await untilAnswered(async () => (await fetch(`http://127.0.0.1:${service.operations}/readyz`)).status === 503);
    const end = await within(BOUND_MS, () => service.stop());

    expect(end).toEqual([1, null]);
    for (const client of clients) client.close();
  });

  it('leaves permits to their programs, which release them on another process', async () => {
    const [one, other] = [await start(), await start()];
    const job = { limiter: 'jobs', request: { ip: IP } };
    const { receipt } = (await one.post('/check', job)).body;
    await one.post('/check', job);

    const end = await one.stop();
    const denied = await other.post('/check', job);
    const renewed = await other.post('/renew', { receipt });
    const released = await other.post('/release', { receipt: renewed.body['receipt'] });
    const admitted = await other.post('/check', job);

    expect(end).toEqual([0, null]);
    expect([denied.status, renewed.body['lapsed'], released.body, admitted.status]).toEqual([
      429,
      0,
      { released: 1 },
      200,
    ]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at %s while nothing is asked', async (signal) => {
    const service = await start();

    expect(await within(BOUND_MS, () => service.stop(signal))).toEqual([0, null]);
  });
});

describe('A process of the service whose file changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-reload-'));
  const file = join(folder, 'limits.yaml');
  const text = (limit: number) => LIMITS.replace('limit: 1000', `limit: ${limit}`);
  let service: ServiceProcess;

  beforeAll(async () => {
    writeFileSync(file, text(100_000));
    service = await ServiceProcess.start(file);
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** The limit that decides now. */
  async function limitNow(): Promise<number> {
    const { body } = await service.post('/check', { limiter: 'api', request: { ip: '192.0.2.9' }, peek: true });
    return (body['decision'] as { outcomes: readonly { limit: number }[] }).outcomes[0]!.limit;
  }

  it('puts each text in force at SIGHUP, under load, without an error and with its counts', async () => {
    const client = new RateLimitClient(service.grpc);
    const used: number[] = [];
    const end = new AbortController();
    const load = Array.from({ length: 8 }, async () => {
      while (!end.signal.aborted) {
        const { statuses } = await client.check('api', { remote_address: IP });
        used.push(statuses[0]!.current_limit!.requests_per_unit - statuses[0]!.limit_remaining);
      }
    });

    for (let round = 1; round <= 20; round += 1) {
      writeFileSync(file, text(100_000 + round));
      service.child.kill('SIGHUP');
      await until(async () => (await limitNow()) === 100_000 + round);
    }
    end.abort();
    await Promise.all(load);
    client.close();

    expect(used.toSorted((one, other) => one - other)).toEqual(Array.from({ length: used.length }, (_, at) => at + 1));
  });

  it('keeps the limits in force when a text is refused, and says so in its log, metrics and health', async () => {
    const before = await limitNow();

    writeFileSync(file, text(5).replace('window: 1h', 'windw: 1h'));
    service.child.kill('SIGHUP');
    await until(async () => (await service.metric('sluice_policies_rejected_total')) > 0);
    const outdated = await service.metric('sluice_policies_outdated_ratio');
    const ready = await fetch(`http://127.0.0.1:${service.operations}/readyz`);
    const health = (await ready.json()) as object;
    const during = await limitNow();
    writeFileSync(file, text(77));
    service.child.kill('SIGHUP');
    await until(async () => (await limitNow()) === 77);

    expect([during, outdated, ready.status]).toEqual([before, 1, 200]);
    expect(health).toMatchObject({ status: 'SERVING', policies: { problem: expect.anything() as unknown } });
    expect(service.log).toMatch(/limits\.yaml:\d+:\d+ tier "ip-hour"/);
    expect(await service.metric('sluice_policies_outdated_ratio')).toBe(0);
  });
});

/** Sends a request of HTTP that the service has read when this resolves, and whose answer comes later. */
async function checkInFlight(port: number): Promise<{ readonly answer: Promise<string> }> {
  const body = JSON.stringify({ limiter: 'api', request: { ip: IP } });
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  const answer = new Promise<string>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => (text.includes('HTTP/1.1 200') ? resolve(text) : reject(new Error('no answer'))));
  });
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.startsWith('HTTP/1.1 100')) return;
      text = '';
      socket.write(body);
      resolve();
    });
    const head = `host: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue`;
    socket.write(`POST /check HTTP/1.1\r\n${head}\r\n\r\n`);
  });
  return { answer };
}
