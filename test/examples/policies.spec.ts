import { redisStore, type RedisStore } from '@sluice/redis';
import { redisPolicies } from '@sluice/policies';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { startProgram, type Program } from '../support/program.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';

const file = join(root, 'examples', 'policies', 'limits.yaml');

describe('examples/policies', () => {
  let server: RedisServer;
  let store: RedisStore;
  let programs: Program[] = [];

  beforeAll(async () => {
    server = await startRedis();
    store = redisStore({ url: server.url }, { deadline: '5s' });
    // A busy machine can delay replies of Redis. The programs inherit it.
    process.env['REDIS_DEADLINE'] = '5s';
    const start = () => startProgram('examples/policies/server.js', ['0', server.url]);
    programs = await Promise.all([start(), start()]);
  });

  afterAll(async () => {
    delete process.env['REDIS_DEADLINE'];
    await Promise.all(programs.map((program) => program.stop()));
    await store.close();
    await server.stop();
  });

  /** Requests of a tenant, each to the next process. Returns how many were admitted. */
  async function admitted(tenant: string, count: number): Promise<number> {
    const requests = Array.from({ length: count }, async (_, index) => {
      const { started: port } = programs[index % programs.length]!;
      const { status } = await fetch(`http://127.0.0.1:${String(port)}/`, { headers: { 'x-tenant': tenant } });
      return status;
    });
    return (await Promise.all(requests)).filter((status) => status === 200).length;
  }

  it('shares one limit between two processes, and changes it in both while they run', async () => {
    const redis = redisPolicies(store);
    const before = await admitted('acme', 12);

    const text = readFileSync(file, 'utf8').replace('limit: 5', 'limit: 8');
    await redis.apply({ text, expected: 0, by: 'ada', reason: 'launch' });
    await until(async () => {
      const processes = await redis.processes();
      return processes.length === 2 && processes.every(({ version }) => version === 1);
    });

    expect([before, await admitted('acme', 12), await admitted('globex', 12)]).toEqual([5, 3, 8]);
  });
});
