import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { byApiKey, byIp, createLimiter, type PolicyOptions } from '@sluice/http';
import { balance, creditsOf } from '@sluice/quotas';
import { digestOf } from '../../packages/core/src/limiter/keys/store-keys.js';
import { claim } from '../support/claim.js';
import { RedisTwin } from '../properties/twin/redis-twin.js';
import { withRedisStore } from '../support/redis-store.js';

/** A state as version 0.1.0 stores it after three units, and the ruling of a fourth one that another version counts. */
interface Stored {
  /** The command that writes it, and its values: bytes in hexadecimal, or texts. */
  readonly state: readonly [command: 'SET' | 'RPUSH' | 'ZADD', ...values: string[]];
  readonly expires: number;
  readonly fourth: unknown;
}

const STORED = JSON.parse(readFileSync(join(__dirname, 'stored-state.json'), 'utf8')) as Record<string, Stored>;

const POLICIES: Readonly<Record<string, PolicyOptions>> = {
  'fixed-window': { algorithm: 'fixed-window', limit: 100, window: '1h' },
  'fixed-window by the clock': { algorithm: 'fixed-window', limit: 100, window: '1h', anchor: 'clock' },
  'sliding-window': { limit: 100, window: '1h' },
  'sliding-window up to 64': { limit: 10, window: '1h' },
  'sliding-window of 10 slots': { limit: 100, window: '1h', precision: 10 },
  'sliding-window, strict': { limit: 100, window: '1h', strict: true },
  'sliding-window-log': { algorithm: 'sliding-window-log', limit: 100, window: '1h' },
  'token-bucket': { algorithm: 'token-bucket', limit: 100, window: '1h', burst: 10 },
  'leaky-bucket': { algorithm: 'leaky-bucket', limit: 100, window: '1h', queue: 9 },
  'multi-window': {
    algorithm: 'multi-window',
    windows: [
      { limit: 30, window: '1m' },
      { limit: 100, window: '1h' },
    ],
  },
  concurrency: { algorithm: 'concurrency', limit: 10 },
  backoff: { algorithm: 'backoff', limit: 10, window: '1h', delays: ['30s', '5m'], forgive: 'all' },
};

/** The keys of two clients, whose tiers alternate: `rl:{digest}:tier:shape`. */
const DIGESTS = ['MMXuBUwSU35Th2hdK_MvhY', 'MYKzEzJVSZ15qnw9siDjdv'];
const SHAPES = 'fw2K1 fw8Hb sw5ZX sw5ZX swaC7 swDEt slN0Q tbrUN lbj2c mwJS3 cc_r3 boQrb'.split(' ');
const KEYS = SHAPES.map((shape, index) => `rl:{${DIGESTS[index % 2]}}:tier-${index}:${shape}`);

/** The shapes that an earlier build gave its states of slots, which this one cannot read. */
const EARLIER_SHAPES: Readonly<Record<string, string>> = {
  'sliding-window': 'swhFb',
  'sliding-window up to 64': 'swhFb',
  'sliding-window of 10 slots': 'swU2e',
  'sliding-window, strict': 'sw6Ev',
  'multi-window': 'mw5Df',
};

/** Microseconds: decades ahead, so that the server expires nothing. */
const START = 4_000_000_000_123_456;
const SECOND = 1_000_000;

// A change here means that versions in one deploy would not count in one budget: see docs/reference/versions.md.
describe('Redis, for versions that share it', () => {
  let twin: RedisTwin;
  const opened = withRedisStore(({ client }) => (twin = new RedisTwin(client)));

  const consume = async (options: PolicyOptions, tag: string, unit: number) => {
    const charged = claim({ policy: options, tag, name: `p${unit}` });
    const { result, expiry } = await twin.consume([{ claims: [charged], peek: false }], START + unit * SECOND);
    return { key: charged.key, ruling: result[0]![0], expires: expiry.get(charged.key)! };
  };

  const read = async (key: string) => {
    const { client } = opened;
    const type = await client.type(key);
    if (type === 'list') return ['RPUSH', ...(await client.lrange(key, 0, -1))];
    if (type === 'zset') return ['ZADD', ...(await client.zrange(key, '0', '-1', 'WITHSCORES')).map(String)];
    return ['SET', (await client.getBuffer(key))!.toString('hex')];
  };

  const write = async (key: string, [command, ...values]: Stored['state'], expires: number) => {
    const { client } = opened;
    if (command === 'SET') await client.set(key, Buffer.from(values[0]!, 'hex'));
    else await client.call(command, key, ...(command === 'ZADD' ? values.toReversed() : values));
    await client.pexpireat(key, expires);
  };

  it.each(Object.entries(POLICIES))('stores the state of version 0.1.0: %s', async (name, options) => {
    for (const unit of [0, 1]) await consume(options, `stored ${name}`, unit);
    const { key, expires } = await consume(options, `stored ${name}`, 2);

    expect([await read(key), expires]).toEqual([STORED[name]!.state, STORED[name]!.expires]);
  });

  it.each(Object.entries(POLICIES))('goes on from the state of version 0.1.0: %s', async (name, options) => {
    const { state, expires, fourth } = STORED[name]!;
    await write(claim({ policy: options, tag: `found ${name}` }).key, state, expires);

    expect((await consume(options, `found ${name}`, 3)).ruling).toEqual(fourth);
  });

  // Issue 34: these builds answered STORE_KEY_UNREADABLE until the keys had expired.
  it.each(Object.entries(EARLIER_SHAPES))('does not meet the state of an earlier build: %s', async (name, shape) => {
    const { client, store } = opened;
    const tier = { ...POLICIES[name]!, name: `earlier ${name}`, key: () => 'a client' };
    const limiter = createLimiter({ store, tiers: [tier] });
    await client.set(`rl:{${digestOf('3:key8:a client')}}:earlier ${name}:${shape}`, 's of another form');

    const decision = await limiter.consume({});

    expect(decision).toMatchObject({ allowed: true, source: 'redis', degraded: false });
    const [key] = await client.keys(`rl:*:earlier ${name}:${shape.slice(0, 2)}*`);
    expect(key).toContain(`{${digestOf('3:key8:a client')}}`);
  });

  it('adds nothing under an id that version 0.2.0 has counted, whose units are not known', async () => {
    const { key } = claim({ policy: { algorithm: balance() }, tag: 'a balance of 0.2.0' });
    await opened.client.hset(key, { left: 100, 'iinvoice 1': START / 1000 - SECOND });

    const { result } = await twin.credit(key, { units: 5_000, id: 'invoice 1' }, START);

    expect(result.slice(0, 3)).toEqual([100, 0, 0]);
  });

  it('reads a balance of version 0.3.0, whose units never end, and writes it as that version reads it', async () => {
    const { client } = opened;
    const policy = { algorithm: balance() };
    const charged = claim({ policy, tag: 'a balance of 0.3.0', cost: 30 });
    await client.hset(charged.key, { left: 100, 'iinvoice 1': `${START / 1000 - SECOND} 100` });

    const again = await twin.credit(charged.key, { units: 100, id: 'invoice 1' }, START);
    const { result } = await twin.consume([{ claims: [charged], peek: false }], START);
    const known = await client.hget(charged.key, 'left');
    await twin.credit(charged.key, { units: 5, id: 'invoice 2', expiresAt: 4_100_000_000_000 }, START);

    expect([again.result.slice(0, 3), result[0]![0]!.charged, known]).toEqual([[100, 0, 100], 30, '70']);
    expect(await client.hget(charged.key, 'left')).toBe('75,0,0,1,50,4100000000000,5,0,50,0,70');
  });

  it('refuses the text of a balance that no version has written, and changes nothing', async () => {
    const { client, store } = opened;
    const limiter = createLimiter({ store, tiers: [{ name: 'odd', key: () => 'a client', algorithm: balance() }] });
    const credits = creditsOf(limiter);
    await credits.credit({}, 5, { id: 'one' });
    const [key] = await client.keys('rl:*:odd:*');
    for (const text of ['5,0', '1,2,3,4', '-5', '5.5', 'x', '']) {
      await client.hset(key!, 'left', text);

      await expect(credits.credit({}, 1, { id: 'two' })).rejects.toMatchObject({ code: 'STORE_KEY_UNREADABLE' });
      await expect(credits.postings({})).rejects.toMatchObject({ code: 'STORE_KEY_UNREADABLE' });
      expect(await client.hget(key!, 'left')).toBe(text);
    }
  });

  it('has the names of keys of version 0.1.0', async () => {
    await opened.client.flushall();
    for (const [index, options] of Object.values(POLICIES).entries()) {
      const tier = { ...options, name: `tier-${index}`, key: index % 2 === 0 ? byIp() : byApiKey() };
      const limiter = createLimiter({ store: opened.store, tiers: [tier] });
      await limiter.consume({ ip: '203.0.113.7', headers: { 'x-api-key': 'a-key' } });
    }

    expect((await opened.client.keys('*')).toSorted()).toEqual(KEYS.toSorted());
  });
});
