import { createServer } from 'node:http';
import { Queue, type Worker } from 'bullmq';
import { startWorker, type Call } from '../../../examples/recipes/bullmq.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { closeServer, listen } from '../../support/site.js';
import { until } from '../../support/until.js';

/** More than a connection holds for a client that does not read. */
const PAGE = Buffer.alloc(300_000);

describe('the recipe bullmq', () => {
  let redis: RedisServer;
  let queue: Queue<Call>;
  const workers: Worker<Call>[] = [];
  const calls: { tenant: string; at: number; running: number }[] = [];
  const running = new Map<string, number>();
  let pauses = 0;
  let connections = 0;

  /** An API that notes each call. */
  const api = createServer((request, response) => {
    const tenant = request.url!.slice(1);
    running.set(tenant, (running.get(tenant) ?? 0) + 1);
    calls.push({ tenant, at: performance.now(), running: running.get(tenant)! });
    response.once('close', () => running.set(tenant, running.get(tenant)! - 1));
    if (tenant === 'paused' && (pauses += 1) === 1) response.writeHead(429, { 'retry-after': '1' });
    setTimeout(() => response.end(PAGE), 5);
  });
  api.on('connection', () => (connections += 1));
  let url: string;

  const add = (tenant: string, count: number) =>
    queue.addBulk(Array.from({ length: count }, () => ({ name: 'call', data: { tenant, url: `${url}/${tenant}` } })));
  const of = (tenant: string) => calls.filter((call) => call.tenant === tenant);

  beforeAll(async () => {
    redis = await startRedis();
    const { port } = (await listen(api)) as { port: number };
    url = `http://127.0.0.1:${port}`;
    const connection = { url: redis.url, port: redis.port };
    queue = new Queue<Call>('calls', { connection });
    workers.push(startWorker('calls', connection), startWorker('calls', connection));
  });

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await queue.close();
    await closeServer(api);
    await redis.stop();
  });

  it('calls at the rate of each tenant over two workers, and runs all jobs', async () => {
    const startedAt = performance.now();
    await add('greedy', 14);
    await add('small', 2);

    await until(async () => (await queue.getCompletedCount()) === 16);

    const greedy = of('greedy').map(({ at }) => at);
    expect(greedy).toHaveLength(14);
    // Two at once, then ten a second. A call may arrive late, and none was admitted before the jobs were there.
    greedy.forEach((at, index) => expect(index).toBeLessThanOrEqual(1 + ((at - startedAt) / 1_000) * 10 + 0.5));
    expect(Math.max(...calls.map((call) => call.running))).toBeLessThanOrEqual(2);
    // Two tenants with two calls each.
    expect(connections).toBeLessThanOrEqual(4);
    expect(of('small').at(-1)!.at).toBeLessThan(greedy.at(-1)!);
    expect(await queue.getFailedCount()).toBe(0);
  });

  it('pauses a tenant on all workers when the API answers 429, and runs its job again', async () => {
    await add('paused', 1);
    await until(async () => (await queue.getDelayedCount()) === 1);
    await add('paused', 2);

    await until(async () => (await queue.getCompletedCount()) === 19);

    const [first, ...others] = of('paused').map(({ at }) => at);
    expect(others).toHaveLength(3);
    for (const at of others) expect(at - first!).toBeGreaterThan(950);
    expect(await queue.getFailedCount()).toBe(0);
  });
});
