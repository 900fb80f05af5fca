import { Redis } from 'ioredis';
import {
  CoolDown,
  createLimiter,
  run,
  type Decision,
  type Duration,
  type Limiter,
  type LimiterOptions,
  type Store,
} from '../../packages/core/src/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { storedUnits } from '../redis/permits/crew.js';
import { commandsDuring, type ServerCommand } from '../support/monitor.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until, untilAnswered } from '../support/until.js';
import { wireTo, type Wire } from '../support/wire.js';

const USER = 'limiter';
const LIMIT = 8;
/** More than a busy machine takes, and less than a third of `hold`. */
const SOON_MS = 3_000;

interface Subject {
  readonly id: string;
}

interface Fault {
  readonly strike: () => Promise<unknown>;
  readonly heal: () => Promise<unknown>;
}

let server: RedisServer;
let admin: Redis;
let wire: Wire;
const stores: Store[] = [];

beforeEach(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
  admin.on('error', () => undefined);
  await admin.acl('SETUSER', USER, 'on', 'nopass', '~rl:*', '+@all');
  wire = await wireTo(server);
});

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  admin.disconnect();
  await wire.close();
  await server.stop();
});

const rights: Fault = {
  strike: () => admin.acl('SETUSER', USER, '-evalsha', '-eval'),
  heal: () => admin.acl('SETUSER', USER, '+evalsha', '+eval'),
};
const memory: Fault = {
  strike: () => admin.config('SET', 'maxmemory', 1),
  heal: () => admin.config('SET', 'maxmemory', 0),
};
const connection: Fault = {
  strike: async () => wire.blackHole(),
  heal: async () => {
    // What was sent meanwhile is lost.
    wire.cut();
    wire.thaw();
  },
};

interface ProcessOptions extends Pick<LimiterOptions<Subject>, 'share' | 'onStoreFailure'> {
  readonly port?: number;
  readonly limit?: number;
  readonly deadline?: Duration;
}

/** A limiter of another process. */
async function process(options: ProcessOptions = {}): Promise<Limiter<Subject>> {
  const { port = server.port, limit = LIMIT, deadline = '50ms', ...rest } = options;
  const store = redisStore({ url: `redis://${USER}@127.0.0.1:${port}` }, { deadline });
  stores.push(store);
  await store.ready();
  const key = ({ id }: Subject) => id;
  return createLimiter<Subject>({
    store,
    denyCache: false,
    ...rest,
    tiers: [
      { name: 'running', key, algorithm: 'concurrency', limit, hold: '30s' },
      { name: 'pause', key, algorithm: 'pause' },
      // A full Redis takes no new unit of it. A permit replaces those that have lapsed.
      { name: 'hour', key, limit: 1_000_000, window: '1h' },
    ],
  });
}

/** Asks until so many requests were decided with Redis. Returns the permits that were given. */
async function ask(limiter: Limiter<Subject>, answers: number): Promise<number> {
  let [given, decided] = [0, 0];
  while (decided < answers) {
    const decisions = await Promise.all(Array.from({ length: 3 }, () => limiter.consume({ id: 'ada' })));
    given += decisions.filter(({ allowed }) => allowed).length;
    // A process that holds all permits needs no call.
    decided += decisions.filter(({ source }) => source !== 'local').length;
    await new Promise(setImmediate);
  }
  return given;
}

async function take(limiter: Limiter<Subject>, count: number): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (let taken = 0; taken < count; taken += 1) decisions.push(await limiter.consume({ id: 'ada' }));
  return decisions;
}

const errors: [string, Fault][] = [
  ['gives back rights', rights],
  ['has memory again', memory],
];

describe('permits that processes gave while Redis answered with errors', () => {
  it.each(errors)('count as soon as Redis %s', async (_what, { strike, heal }) => {
    const limiter = await process({ share: 1 / 2 });
    await strike();
    const given = (await take(limiter, LIMIT)).filter(({ allowed }) => allowed);

    const asking = ask(limiter, 30);
    await heal();
    const more = await asking;

    expect(given.map(({ source }) => source)).toEqual(['local', 'local', 'local', 'local']);
    expect(more).toBe(LIMIT - given.length);
    expect(await storedUnits(server)).toBe(LIMIT);
  });

  it.each(errors)(
    'are given again at most in the share of a process that Redis has not heard when it %s',
    async (_what, { strike, heal }) => {
      const fleet = [await process({ share: 1 / 2 }), await process({ share: 1 / 2 })];
      await strike();
      for (const each of fleet) await take(each, LIMIT);

      const asking = fleet.map((each) => ask(each, 30));
      await heal();
      const more = (await Promise.all(asking)).reduce((sum, each) => sum + each, 0);

      expect(more).toBeLessThanOrEqual(LIMIT / 2);
    },
  );
});

describe('a permit that ended while Redis was away', () => {
  /** Milliseconds until another process gets the only permit. */
  const freeAfter = async (limiter: Limiter<Subject>) => {
    const startedAt = performance.now();
    await untilAnswered(async () => (await limiter.consume({ id: 'ada' })).allowed);
    return performance.now() - startedAt;
  };

  it('is free as soon as the process has connected again', async () => {
    const [limiter, other] = [await process({ port: wire.port }), await process()];
    const [first] = await take(limiter, LIMIT);
    await connection.strike();
    await limiter.release(first!);

    await connection.heal();

    expect(await freeAfter(other)).toBeLessThan(SOON_MS);
  });

  it('is free as soon as Redis answers another request of the process', async () => {
    const [limiter, other] = [await process({ port: wire.port }), await process()];
    const [first] = await take(limiter, LIMIT);
    await rights.strike();
    await limiter.release(first!);

    await rights.heal();
    await limiter.consume({ id: 'bob' });

    expect(await freeAfter(other)).toBeLessThan(SOON_MS);
  });

  it('is free as soon as the process has connected again when its answer was lost', async () => {
    const options = { port: wire.port, onStoreFailure: 'deny', deadline: '2s' } as const;
    const [limiter, other] = [await process(options), await process()];
    await take(other, LIMIT - 1);
    wire.swallowReplies();
    const asked = limiter.consume({ id: 'ada' });
    await until(async () => (await storedUnits(server)) === LIMIT);
    // The release that follows the deadline is lost too.
    wire.freeze();
    const { reason } = await asked;

    wire.cut();

    expect(reason).toBe('unavailable');
    expect(await freeAfter(other)).toBeLessThan(SOON_MS);
  });
});

describe('a pause of an upstream while Redis was away', () => {
  const outages: [string, Fault][] = [...errors, ['is connected again', connection]];

  it.each(outages)('holds in all processes when Redis %s', async (_what, { strike, heal }) => {
    const [limiter, other] = [await process({ port: wire.port }), await process()];
    await strike();
    const working = run(limiter, { id: 'ada' }, () => {
      throw new CoolDown('20s');
    });
    await expect(working).rejects.toThrow(CoolDown);

    await heal();
    const own = await answered(limiter);
    await until(async () => !(await other.consume({ id: 'ada' })).allowed);
    const { retryAfter } = await other.consume({ id: 'ada' });

    expect(own.map(({ deniedBy }) => deniedBy)).toEqual(own.map(() => ['pause']));
    expect(retryAfter).toBeGreaterThan(5_000);
    expect(retryAfter).toBeLessThanOrEqual(20_000);
  });

  it('does not begin again after a reset', async () => {
    const limiter = await process({ port: wire.port });
    await rights.strike();
    await expect(limiter.pause({ id: 'ada' }, '20s')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(limiter.reset({ id: 'ada' })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });

    await rights.heal();
    const decisions = await answered(limiter);

    expect(decisions.at(-1)!.allowed).toBe(true);
  });
});

/** The decisions until Redis has made one. */
async function answered(limiter: Limiter<Subject>): Promise<Decision[]> {
  const decisions: Decision[] = [];
  await untilAnswered(async () => {
    decisions.push(await limiter.consume({ id: 'ada' }));
    return decisions.at(-1)!.source === 'redis';
  });
  return decisions;
}

describe('a Redis that was away', () => {
  type Act = (limiter: Limiter<Subject>, running: Decision) => Promise<unknown>;
  /** What happens during the outage, and what Redis writes when it hears of it. */
  const facts: [string, Act, string][] = [
    ['of a permit that runs', (limiter) => take(limiter, 1), 'zadd'],
    ['of a permit that has ended', (limiter, running) => limiter.release(running), 'zrem'],
    ['of a pause', (limiter) => limiter.pause({ id: 'ada' }, '20s').catch(() => undefined), 'set'],
  ];
  const outages: [string, Fault][] = [
    ['gives back rights', rights],
    ['is connected again', connection],
  ];

  const rows = outages.flatMap(([when, fault]) =>
    facts
      // A check does not wait for the end of a permit, which follows the first answer.
      .filter(([, , write]) => write !== 'zrem' || fault === connection)
      .map(([of, act, write]) => [of, when, act, write, fault] as const),
  );
  it.each(rows)('hears %s before the first check when it %s', async (_of, _when, act, write, fault) => {
    const limiter = await process({ port: wire.port, limit: 10_000 });
    const [running] = await take(limiter, 1);
    await fault.strike();
    await act(limiter, running!);

    const commands = await commandsDuring(server, async () => {
      await fault.heal();
      await answered(limiter);
    });

    const heard = commands.findIndex(({ name, scripted }) => scripted && name === write);
    expect(heard).toBeGreaterThanOrEqual(0);
    expect(commands.findIndex(isCheck)).toBeGreaterThan(heard);
  });
});

describe('a Redis that answers with errors', () => {
  it('gets no more bytes with each request while it refuses scripts', async () => {
    const limiter = await process();
    await take(limiter, 1);
    await rights.strike();
    const bytesOf = async (requests: number) => {
      const before = await bytesReceived();
      for (let sent = 0; sent < requests; sent += 1) await limiter.release(await limiter.consume({ id: 'ada' }));
      return (await bytesReceived()) - before;
    };
    // All facts are sent each second, too: on a busy machine some of these rounds have such a second, and not all.
    const leastBytes = async () => {
      const rounds: number[] = [];
      while (rounds.length < 10) rounds.push(await bytesOf(10));
      return Math.min(...rounds);
    };

    const first = await leastBytes();
    await bytesOf(200);
    const last = await leastBytes();

    expect(last / first).toBeLessThan(1.5);
  });

  it('decides about a key although another one holds other data', async () => {
    const limiter = await process({ onStoreFailure: 'deny', deadline: '5s' });
    await limiter.consume({ id: 'ada' });
    const [key] = await admin.keys('*:running*');
    await limiter.consume({ id: 'bob' });
    await admin.set(key!, 'other data');
    // The process renews all permits, and a third of `hold` would take 10 s.
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await untilAnswered(async () => (await limiter.consume({ id: 'carol' })).source === 'redis');

    const reasons: string[] = [];
    for (let sent = 0; sent < 20; sent += 1) reasons.push((await limiter.consume({ id: 'bob' }, { cost: 0 })).reason);

    expect(new Set(reasons)).toEqual(new Set(['ok']));
  });

  it('hears of a pause at last when the limiter closes', async () => {
    const [limiter, other] = [await process({ deadline: '5s' }), await process({ deadline: '5s' })];
    await rights.strike();
    await expect(limiter.pause({ id: 'ada' }, '20s')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await rights.heal();

    await limiter.close();

    expect((await other.consume({ id: 'ada' })).deniedBy).toEqual(['pause']);
  });
});

async function bytesReceived(): Promise<number> {
  return Number(/total_net_input_bytes:(\d+)/.exec(await admin.info('stats'))![1]);
}

/** A check has the keys of all three tiers, a fact that of its own. */
function isCheck({ name, scripted, arguments: [, keys] }: ServerCommand): boolean {
  return !scripted && name.startsWith('eval') && keys === '3';
}
