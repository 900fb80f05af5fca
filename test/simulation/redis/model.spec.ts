import type { Redis } from 'ioredis';
import { joinParts, scripts } from '../../../packages/core/src/scripts/scripts.js';
import { BalanceHistory } from '../../properties/twin/balance-history.js';
import { Random } from '../../properties/twin/random.js';
import { ALGORITHMS } from '../../properties/twin/random-policy.js';
import { RedisTwin } from '../../properties/twin/redis-twin.js';
import { replay } from '../../properties/twin/replay.js';
import { withRedis } from '../../support/redis-store.js';
import { Hash, Keyspace, type Value } from './keyspace.js';
import { ErrorReply, StatusReply, type Reply } from './reply.js';
import { runScript, scriptOf } from './scripts.js';

/** Sends each call to a real Redis and to the model. */
class Mirror {
  readonly keyspace = new Keyspace();
  calls = 0;
  readonly #client: Redis;
  readonly #sources = new Map<string, string>();

  constructor(client: Redis) {
    this.#client = client;
  }

  async script(_load: 'LOAD', source: string): Promise<unknown> {
    const sha = (await this.#client.script('LOAD', source)) as string;
    this.#sources.set(sha, source);
    return sha;
  }

  /** Resolves with the reply of Redis. Rejects if the model replies otherwise. */
  async evalshaBuffer(sha: string, count: number, ...rest: (string | number)[]): Promise<unknown> {
    this.calls += 1;
    const texts = rest.map(String);
    const host = { keyspace: this.keyspace, now: Date.now() * 1e3 };
    const modelled = runScript(scriptOf(this.#sources.get(sha)!), host, texts.slice(0, count), texts.slice(count));
    const real = await (this.#client as unknown as Mirror).evalshaBuffer(sha, count, ...rest);
    const [one, other] = [JSON.stringify(bytesOf(modelled)), JSON.stringify(real)];
    if (one !== other) throw new Error(`Redis replied ${other}, the model ${one}\n${this.#sources.get(sha)}`);
    return real;
  }

  /** What both have stored, by key. */
  async stored(): Promise<readonly (readonly [string, string])[]> {
    const stored: [string, string][] = [];
    for (const key of await this.#client.keys('*')) {
      const time = await this.#client.pexpiretime(key);
      const [real, modelled] = [await this.#read(key), read(this.keyspace.get(key))];
      const expiresAt = this.keyspace.expiresAt(key);
      stored.push([`${key} ${time} ${real}`, `${key} ${expiresAt === Infinity ? -1 : (expiresAt ?? -2)} ${modelled}`]);
    }
    return stored;
  }

  async #read(key: string): Promise<string> {
    const client = this.#client;
    switch (await client.type(key)) {
      case 'string':
        return (await client.getBuffer(key))!.toString('latin1');
      case 'list':
        return (await client.lrange(key, 0, -1)).join();
      case 'hash':
        return Object.entries(await client.hgetall(key))
          .flat()
          .toSorted()
          .join();
      default:
        return (await client.zrange(key, '0', '-1', 'WITHSCORES')).join();
    }
  }
}

function read(value: Value | undefined): string {
  if (value === undefined || typeof value === 'string') return value ?? '';
  if (Array.isArray(value)) return value.join();
  if (value instanceof Hash) return [...value].flat().toSorted().join();
  return [...value]
    .toSorted((one, other) => one[1] - other[1] || (one[0] < other[0] ? -1 : 1))
    .flat()
    .join();
}

function bytesOf(reply: Reply): unknown {
  if (typeof reply === 'string') return Buffer.from(reply, 'latin1');
  if (reply instanceof StatusReply || reply instanceof ErrorReply) return reply.text;
  return Array.isArray(reply) ? (reply as readonly Reply[]).map(bytesOf) : reply;
}

const ON_TEST_CLOCK = 'local now_us = tonumber(table.remove(ARGV))';

describe('the model of Redis', () => {
  const opened = withRedis();

  it('replies and stores as Redis does, to the scripts of all algorithms', async () => {
    const mirror = new Mirror(opened.client);
    const twin = new RedisTwin(mirror as unknown as Redis);

    for (let seed = 1; seed <= 8; seed += 1) await replay(twin, ALGORITHMS, seed);

    expect(mirror.calls).toBeGreaterThan(300);
    const stored = await mirror.stored();
    expect(stored.length).toBeGreaterThan(20);
    expect(stored.map(([, modelled]) => modelled)).toEqual(stored.map(([real]) => real));
  });

  it('replies and stores as Redis does, to the scripts of balances', async () => {
    const mirror = new Mirror(opened.client);
    const twin = new RedisTwin(mirror as unknown as Redis);

    for (let seed = 1; seed <= 4; seed += 1) {
      const history = new BalanceHistory(twin, new Random(seed));
      for (let step = 0; step < 60; step += 1) await history.step();
    }

    const stored = (await mirror.stored()).filter(([real]) => real.includes('left'));
    expect(stored.length).toBeGreaterThan(3);
    expect(stored.map(([, modelled]) => modelled)).toEqual(stored.map(([real]) => real));
  });

  it('replies and stores as Redis does, to the scripts of usage', async () => {
    // The model knows nothing of what the other tests have stored.
    await opened.client.flushdb();
    const mirror = new Mirror(opened.client);
    const random = new Random(9);
    const onTestClock = (source: string) => source.replace(/^local now_us = .*$/m, ON_TEST_CLOCK);
    const names = [
      'lock-usage',
      'mark-usage',
      'read-usage',
      'list-open-usage',
      'add-open-usage',
      'read-open-usage',
    ] as const;
    const loaded = await Promise.all(names.map((name) => mirror.script('LOAD', onTestClock(scripts[name].source))));
    const [locks, marks, reads, lists, adds, opens] = loaded.map(String);
    const [usage, set] = ['rl:{a}:t:used', 'rl:{~usage}:open'];
    const hours = Array.from({ length: 9 }, (_, hour) => [String(hour), '7'] as const);
    await opened.client.hset(usage, Object.fromEntries(hours));
    mirror.keyspace.set(usage, new Hash(hours));
    const time = () => random.integer(6, 12) * 3.6e9;
    const call = () =>
      random.pick([
        () => mirror.evalshaBuffer(reads!, 1, usage, time()),
        () => {
          const units = [random.integer(0, 9), random.pick([3, 4, 7]), random.pick([0, 3, 4, 7])];
          return mirror.evalshaBuffer(marks!, 1, usage, ...units);
        },
        () => {
          const change = [random.pick(['a', 'b']), 'scope', random.pick([0, 1e7]), random.pick([0, 5, 9])];
          return mirror.evalshaBuffer(locks!, 2, 'lock', 'exports', ...change, random.integer(1e15, 1.000_06e15));
        },
        () => mirror.evalshaBuffer(lists!, 1, set, 0, set, random.pick(['', 'a scan']), random.integer(-1, 3), time()),
        () => mirror.evalshaBuffer(adds!, 2, set, usage, 'a scan'),
        () => mirror.evalshaBuffer(opens!, 2, set, usage, random.integer(0, 9), time()),
      ])();
    for (let step = 0; step < 300; step += 1) await call();

    const stored = (await mirror.stored()).filter(([real]) => /^rl|^exports/.test(real));
    expect(stored.map(([, modelled]) => modelled)).toEqual(stored.map(([real]) => real));
    expect(stored.length).toBeGreaterThan(1);
  });

  it('replies and stores as Redis does, to the scripts of lists', async () => {
    const mirror = new Mirror(opened.client);
    const random = new Random(7);
    const shaOf = async (name: 'read-list' | 'change-list' | 'restore-list') =>
      String(await mirror.script('LOAD', scripts[name].source.replace(joinParts(['clock']), ON_TEST_CLOCK)));
    const [reads, changes, restores] = await Promise.all(
      (['read-list', 'change-list', 'restore-list'] as const).map(shaOf),
    );
    const name = () => `10.0.0.${random.integer(0, 30)}`;
    let now = Date.UTC(2035, 0, 1) * 1e3;
    for (let step = 0; step < 400; step += 1) {
      now += random.magnitude(1, 1e8);
      const keys = ['list', 'list-log'];
      const number = random.chance(0.5) ? now - random.magnitude(1, 1e8) : -now + random.magnitude(1, 1e8);
      const call = random.pick([
        [reads, random.pick([0, -1, now]), random.pick([0, now - 1e6]), random.pick([0, now - 1e6])],
        [changes, random.pick([5, 1000]), name(), random.pick([0, -1, -2, 1_000]), random.pick(['', 'a note'])],
        [restores, 'p1', random.pick(['', now]), name(), number, random.pick([0, now / 1e3 + 1e4]), 'restored'],
      ] as const);
      const [sha, ...args] = call;
      await mirror.evalshaBuffer(sha!, 2, ...keys, ...args, now);
    }

    const stored = (await mirror.stored()).filter(([real]) => real.startsWith('list'));
    expect(stored.map(([, modelled]) => modelled)).toEqual(stored.map(([real]) => real));
  });
});
