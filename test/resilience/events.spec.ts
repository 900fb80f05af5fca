import { once } from 'node:events';
import { subscribe, type SluiceEvents } from '../../packages/core/src/events/events.js';
import { createLimiter, type Limiter, type OnStoreFailure, type Store } from '../../packages/core/src/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { command } from './faults/server-scene.js';
import { IDENTITY, type Subject } from './traffic/traffic.js';

const NAMES = [
  'sluice:decision',
  'sluice:store-call',
  'sluice:breaker',
  'sluice:late-reply',
  'sluice:degraded',
  'sluice:config-fault',
] as const;

/** More than a busy machine needs. */
const DEADLINE_MS = 1_000;

describe('events about a failing server', () => {
  let server: RedisServer;
  let ends: (() => void)[];
  let published: [name: string, event: unknown][];
  const stores: Store[] = [];

  beforeEach(async () => {
    server = await startRedis();
    published = [];
    ends = NAMES.map((name) => subscribe(name, (event) => void published.push([name, event])));
  });

  afterEach(async () => {
    for (const end of ends) end();
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await server.stop();
  });

  const subject = { id: `${IDENTITY}1@example.org` };
  const limiterOf = (onStoreFailure: OnStoreFailure, url = server.url): Limiter<Subject> => {
    const store = redisStore({ url }, { deadline: DEADLINE_MS });
    stores.push(store);
    const key = ({ id }: Subject) => id;
    return createLimiter<Subject>({ store, name: 'hour', limit: 100, window: '1h', key, record: key, onStoreFailure });
  };
  const eventsOf = <Name extends keyof SluiceEvents>(name: Name) =>
    published.filter((each) => each[0] === name).map(([, event]) => event as SluiceEvents[Name]);
  const ready = async (limiter: Limiter<Subject>) => {
    while ((await limiter.consume(subject)).source !== 'redis') await new Promise(setImmediate);
    published = [];
  };
  const consumeUntil = async (limiter: Limiter<Subject>, holds: () => boolean) => {
    while (!holds()) {
      await limiter.consume(subject);
      await new Promise(setImmediate);
    }
  };

  it.each(['local', 'allow', 'deny'] as const)(
    'report what happens instead (%s), why, and for which tiers',
    async (mode) => {
      const limiter = limiterOf(mode);
      await limiter.consume(subject);
      server.process.kill('SIGKILL');
      await once(server.process, 'exit');

      await consumeUntil(limiter, () => eventsOf('sluice:degraded').length > 0);

      expect(eventsOf('sluice:degraded')[0]).toEqual({
        operation: 'consume',
        fallback: mode,
        code: 'STORE_UNAVAILABLE',
        message: expect.stringMatching(/^Redis (cannot be reached|could not answer): /),
        tiers: ['hour'],
      });
      expect(eventsOf('sluice:decision').map(({ decision }) => decision.degraded)).toContain(true);
      expect(JSON.stringify(published)).not.toContain(IDENTITY);
    },
  );

  it('report the outcome of every call', async () => {
    const limiter = limiterOf('local');
    await ready(limiter);
    await limiter.consume(subject);
    server.process.kill('SIGSTOP');

    await limiter.consume(subject);
    server.process.kill('SIGCONT');
    await consumeUntil(limiter, () => eventsOf('sluice:late-reply').length > 0);

    const duration = expect.any(Number);
    expect(eventsOf('sluice:store-call').slice(0, 2)).toEqual([
      { duration, groups: 1, outcome: 'answered' },
      { duration, groups: 1, outcome: 'late', problem: 'no reply within 1000 ms' },
    ]);
    expect(eventsOf('sluice:late-reply')[0]).toEqual({ duration, groups: 1 });
  });

  it('report that the breaker opens, why and for how long, probes and closes', async () => {
    const limiter = limiterOf('deny');
    await ready(limiter);

    await command((client) => client.config('SET', 'maxmemory', 1))(server);
    await consumeUntil(limiter, () => eventsOf('sluice:breaker').some(({ state }) => state === 'half-open'));
    await command((client) => client.config('SET', 'maxmemory', 0))(server);
    await consumeUntil(limiter, () => eventsOf('sluice:breaker').at(-1)!.state === 'closed');

    const [opened, ...then] = eventsOf('sluice:breaker');
    expect(opened).toEqual({ state: 'open', problem: expect.stringMatching(/^OOM /), openFor: expect.any(Number) });
    expect(then[0]).toEqual({ state: 'half-open' });
    expect(then.at(-1)).toEqual({ state: 'closed' });
  });

  it('report a wrong configuration once, and each rejected call', async () => {
    const limiter = limiterOf('allow');
    await ready(limiter);
    await command((client) => client.acl('SETUSER', 'default', '-evalsha'))(server);

    for (let count = 0; count < 10; count += 1) await limiter.consume(subject);
    await command((client) => client.acl('SETUSER', 'default', '+evalsha'))(server);

    expect(eventsOf('sluice:config-fault')).toEqual([{ problem: expect.stringMatching(/^NOPERM /) }]);
    expect(eventsOf('sluice:degraded')).toHaveLength(10);
    expect(eventsOf('sluice:breaker')).toEqual([]);
  });

  it('report an unreadable key, and no failure of the server', async () => {
    const limiter = limiterOf('deny');
    await ready(limiter);
    await command(async (client) => {
      for (const key of await client.keys('rl:*')) await client.multi().del(key).hset(key, 'a', 'b').exec();
    })(server);

    for (let count = 0; count < 30; count += 1) await limiter.consume(subject);

    expect(eventsOf('sluice:degraded')).toHaveLength(30);
    expect(eventsOf('sluice:degraded')[0]).toMatchObject({ fallback: 'deny', code: 'STORE_KEY_UNREADABLE' });
    expect(eventsOf('sluice:breaker')).toEqual([]);
    expect(eventsOf('sluice:config-fault')).toEqual([]);
    expect(JSON.stringify(published)).not.toContain(IDENTITY);
  });

  it('quote no argument of an unknown command', async () => {
    const other = await startRedis({ args: ['--rename-command', 'EVALSHA', 'hidden'] });
    const limiter = limiterOf('local', other.url);

    await consumeUntil(limiter, () => eventsOf('sluice:config-fault').length > 0);
    await other.stop();

    expect(eventsOf('sluice:config-fault')).toEqual([{ problem: expect.stringMatching(/^ERR unknown command/) }]);
    expect(JSON.stringify(published)).not.toMatch(/rl:/);
    expect(JSON.stringify(published)).not.toContain(IDENTITY);
  });
});
