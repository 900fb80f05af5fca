import { CoolDown, createLimiter, type Limiter, run } from '../../packages/core/src/index.js';
import { redisStore, type RedisStore } from '../../packages/redis/src/index.js';
import { storedUnits } from '../redis/permits/crew.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';

const PERMITS = 100;

let server: RedisServer;
let store: RedisStore;
let limiter: Limiter<string>;

beforeEach(async () => {
  server = await startRedis();
  store = redisStore({ url: server.url });
  await store.ready();
  limiter = open(store);
});

afterEach(async () => {
  server.process.kill('SIGCONT');
  await store.close();
  await server.stop();
});

function open(on: RedisStore): Limiter<string> {
  const key = (user: string) => user;
  return createLimiter<string>({
    store: on,
    denyCache: false,
    tiers: [
      { name: 'running', key, algorithm: 'concurrency', limit: 1_000, hold: '30s' },
      { name: 'pause', key, algorithm: 'pause' },
    ],
  });
}

/** Stops Redis until the process calls it no more. */
async function outage(): Promise<void> {
  server.process.kill('SIGSTOP');
  let others = 0;
  await until(async () => {
    others += 1;
    await limiter.consume(`other ${others}`);
    return store.stats().breakers[0]!.state === 'open';
  });
}

describe('a process that closes', () => {
  beforeEach(async () => {
    for (let taken = 0; taken < PERMITS; taken += 1) await limiter.consume('ada');
    await until(async () => (await storedUnits(server)) === PERMITS);
    await outage();
  });

  it('leaves no permit in Redis right after an outage, while its breaker is open', async () => {
    server.process.kill('SIGCONT');

    await limiter.close();
    await store.close();

    await expect(until(async () => (await storedUnits(server)) === 0)).resolves.toBeUndefined();
  });

  it('leaves no permit in Redis that wakes after it has ended', async () => {
    await limiter.close();
    await store.close();

    server.process.kill('SIGCONT');

    await expect(until(async () => (await storedUnits(server)) === 0)).resolves.toBeUndefined();
  });

  it('leaves a pause in Redis that an upstream has asked for in an outage that is just over', async () => {
    const working = run(limiter, 'ada', () => {
      throw new CoolDown('20s');
    });
    await expect(working).rejects.toThrow(CoolDown);
    server.process.kill('SIGCONT');

    await limiter.close();
    await store.close();

    const other = redisStore({ url: server.url });
    await other.ready();
    const ofOther = open(other);
    const denied = until(async () => (await ofOther.consume('ada')).deniedBy.includes('pause'));
    await expect(denied).resolves.toBeUndefined();
    await other.close();
  });
});
