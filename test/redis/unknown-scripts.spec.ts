import { Redis } from 'ioredis';
import { createLimiter, type Decision, type Limiter } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { claim } from '../support/claim.js';
import { commandsDuring, namesIn, type ServerCommand } from '../support/monitor.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';

const REQUESTS = 200;
const LIMIT = 1_000_000;
const key = (user: string) => user;
/** More than Redis takes on a busy machine, and less than the process is busy. */
const DEADLINE_MS = 1_000;

let server: RedisServer;
let admin: Redis;
let store: RedisStore;
let limiter: Limiter<string>;

beforeEach(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
  admin.on('error', () => undefined);
  store = redisStore({ url: server.url }, { deadline: DEADLINE_MS });
  limiter = createLimiter<string>({
    store,
    denyCache: false,
    tiers: [
      { name: 'minute', key, limit: LIMIT, window: '1h' },
      { name: 'hour', key, algorithm: 'sliding-window', limit: LIMIT, window: '1h' },
      { name: 'day', key, algorithm: 'fixed-window', limit: LIMIT, window: '1d' },
    ],
  });
  await limiter.refund(await limiter.consume('ada'));
});

afterEach(async () => {
  await store.close();
  admin.disconnect();
  await server.stop();
});

/** The handlers of a turn, which read no socket. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** What a process asks in one turn, and what its handlers do before it reads the replies. */
async function askAll(busy: number): Promise<Decision[]> {
  const decisions = Promise.all(Array.from({ length: REQUESTS }, () => limiter.consume('ada')));
  work(busy);
  return decisions;
}

/** Returns the units that came back. */
async function refundAll(decisions: readonly Decision[], busy: number): Promise<number> {
  const refunds = Promise.all(decisions.map((decision) => limiter.refund(decision)));
  await new Promise(setImmediate);
  work(busy);
  return (await refunds).reduce((sum, each) => sum + each, 0);
}

async function remaining(): Promise<number[]> {
  const { outcomes } = await limiter.peek('ada', { cost: 0 });
  return outcomes.map((each) => each.remaining);
}

const BUSY_MS = DEADLINE_MS + 100;

describe('redisStore on a Redis that does not know its scripts', () => {
  it('decides and refunds what a busy process asks in one turn after SCRIPT FLUSH', async () => {
    await admin.script('FLUSH');
    const decisions = await askAll(BUSY_MS);
    await admin.script('FLUSH');
    const refunded = await refundAll(decisions, BUSY_MS);

    expect(decisions.filter(({ source }) => source !== 'redis')).toHaveLength(0);
    expect(refunded).toBe(REQUESTS * 3);
    expect(await remaining()).toEqual([LIMIT, LIMIT, LIMIT]);
  });

  it('decides and refunds what a busy process asks in one turn after a restart', async () => {
    await server.restart();
    await until(() => store.stats().breakers[0]!.isConnected);

    const decisions = await askAll(BUSY_MS);
    const refunded = await refundAll(decisions, BUSY_MS);

    expect(decisions.filter(({ source }) => source !== 'redis')).toHaveLength(0);
    expect(refunded).toBe(REQUESTS * 3);
    expect(await remaining()).toEqual([LIMIT, LIMIT, LIMIT]);
  });

  it('gets each text once on a connection, and then the SHA-1', async () => {
    await server.restart();
    await until(() => store.stats().breakers[0]!.isConnected);

    const commands = await commandsDuring(server, async () => {
      for (let round = 0; round < 3; round += 1) await limiter.refund(await limiter.consume('ada'));
    });

    expect(callsIn(commands)).toEqual(['eval', 'eval', 'evalsha', 'evalsha', 'evalsha', 'evalsha']);
  });
});

describe('redisStore on a Redis that knows its scripts', () => {
  it('gets the SHA-1 alone, in as many bytes with each request', async () => {
    await limiter.consume('ada');
    const bytesOf = async (requests: number) => {
      const before = await bytesReceived();
      for (let sent = 0; sent < requests; sent += 1) await limiter.consume('ada');
      return (await bytesReceived()) - before;
    };

    const [few, many] = [await bytesOf(10), await bytesOf(100)];

    // The commands of this spec itself are in both.
    expect((many - few) / 90).toBeLessThan(300);
  });

  it('gets the refunds of one turn in few calls', async () => {
    const decisions = await askAll(0);

    let refunded = 0;
    const commands = await commandsDuring(server, async () => {
      refunded = await refundAll(decisions, 0);
    });

    expect(refunded).toBe(REQUESTS * 3);
    // 96 receipts a call.
    expect(callsIn(commands)).toHaveLength(Math.ceil((REQUESTS * 3) / 96));
  });

  it('gets a refund before a call that is sent after it in the same turn', async () => {
    const one = claim();
    const { receipts } = await store.consume([one]);

    const [given, { outcomes }] = await Promise.all([store.refund(receipts), store.peek([one])]);

    expect([given, outcomes[0]!.remaining]).toEqual([1, 10]);
  });
});

/** The names of the calls of scripts. */
function callsIn(commands: readonly ServerCommand[]): string[] {
  return namesIn(commands.filter(({ name, scripted }) => !scripted && name.startsWith('eval')));
}

async function bytesReceived(): Promise<number> {
  return Number(/total_net_input_bytes:(\d+)/.exec(await admin.info('stats'))![1]);
}
