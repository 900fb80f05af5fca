import { runInNewContext } from 'node:vm';

import type { Claim } from '../../model/claim.js';
import { UsageError } from '../../model/errors.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import type { Store } from '../../stores/store.js';
import { createLimiter } from '../limiter.js';
import type { LimiterOptions } from '../limiter-options.js';
import type { Tier } from '../tiers/tier.js';

const RAW = 'ada@example.org';
const hour: Tier<unknown> = { name: 'hour', key: () => RAW, limit: 10, window: '1h' };

describe('the functions of tiers', () => {
  it('are all called, in order, before one is awaited', async () => {
    const calls: string[] = [];
    const told = <T>(name: string, value: T) => {
      calls.push(`${name} called`);
      return Promise.resolve(value).finally(() => calls.push(`${name} awaited`));
    };
    const tier = (name: string) => ({
      ...hour,
      name,
      key: () => told(`key of ${name}`, 'ada'),
      limit: () => told(`limit of ${name}`, 10),
      cost: () => told(`cost of ${name}`, 1),
      record: () => told(`record of ${name}`, undefined),
    });
    const limiter = createLimiter({
      partition: () => told('partition', 'tenant'),
      tiers: [{ ...tier('minute'), window: '1m' }, tier('hour')],
    });

    await limiter.consume({});

    const functions = ['key', 'limit', 'cost', 'record'];
    const inOrder = ['hour', 'minute'].flatMap((name) => functions.map((each) => `${each} of ${name} called`));
    expect(calls.slice(0, 9)).toEqual(['partition called', ...inOrder]);
    expect(calls.slice(9).every((each) => each.endsWith('awaited'))).toBe(true);
  });

  it('are all called, though an earlier one has thrown', async () => {
    const calls: string[] = [];
    const key = (name: string) => () => {
      calls.push(name);
      throw new Error(name);
    };
    const limiter = createLimiter({
      tiers: [
        { ...hour, key: key('hour') },
        { ...hour, name: 'other', key: key('other') },
      ],
    });

    await expect(limiter.consume({})).rejects.toThrow('tier "hour": the function key failed');
    expect(calls).toEqual(['hour', 'other']);
  });

  it('are called with the subject', async () => {
    const subject = { ip: '192.0.2.1' };
    const seen: unknown[] = [];
    const see =
      <T>(value: T) =>
      (given: unknown) => {
        seen.push(given);
        return value;
      };
    const tier = { ...hour, key: see('ada'), limit: see(10), cost: see(1), record: see('text') };
    const plan = [tier];

    await createLimiter({ partition: see('tenant'), tiers: see(plan) }).consume(subject);

    expect(seen).toEqual([subject, subject, subject, subject, subject, subject]);
  });

  const failing = new Error('the user has gone');

  describe.each<[string, (failure: () => unknown) => unknown]>([
    ['throws', (failure) => failure()],
    ['rejects', async (failure) => failure()],
  ])('that %s', (_how, failed) => {
    const fail = () =>
      failed(() => {
        throw failing;
      });

    it.each<[string, string, object]>([
      ['tier "hour"', 'key', { tiers: [{ ...hour, key: fail }] }],
      ['tier "hour"', 'limit', { tiers: [{ ...hour, limit: fail }] }],
      ['tier "hour"', 'cost', { tiers: [{ ...hour, cost: fail }] }],
      ['tier "hour"', 'record', { tiers: [{ ...hour, record: fail }] }],
      ['limiter', 'partition', { tiers: [hour], partition: fail }],
      ['limiter', 'tiers', { tiers: fail }],
    ])('rejects with UsageError: %s, %s', async (owner, name, options) => {
      const { limiter, calls } = watched(options);

      const consumed = limiter.consume({});

      await expect(consumed).rejects.toBeInstanceOf(UsageError);
      await expect(consumed).rejects.toMatchObject({ code: 'FUNCTION_FAILED', cause: failing });
      await expect(consumed).rejects.toThrow(`${owner}: the function ${name} failed`);
      await expect(limiter.peek({})).rejects.toBeInstanceOf(UsageError);
      expect(calls).toEqual([]);
    });
  });

  describe.each<[string, (value: unknown) => unknown]>([
    ['returns', (value) => value],
    ['resolves to', async (value) => value],
  ])('one that %s nonsense', (_how, answer) => {
    it.each<[string, unknown, string]>([
      ['key', undefined, 'must return a non-empty text or an identity, got undefined'],
      ['key', null, 'got null'],
      ['key', '', 'got empty text'],
      ['key', 5, 'got a number'],
      ['key', 5n, 'got a bigint'],
      ['key', [RAW], 'got an array of 1'],
      ['key', { kind: 'ip', parts: [] }, 'got an object'],
      ['key', { kind: 'ip', parts: [RAW, 5] }, 'got an object'],
      ['limit', undefined, 'must return an integer of at least 0, or null, got undefined'],
      ['limit', -1, 'must return an integer of at least 0, or null, got -1'],
      ['limit', 1.5, 'got 1.5'],
      ['limit', NaN, 'got NaN'],
      ['limit', Infinity, 'got Infinity'],
      ['limit', '10', 'got text'],
      ['limit', true, 'got a boolean'],
      ['limit', 2 ** 32, 'limit must be an integer from 1 to 4294967295, got 4294967296, from the function limit'],
      ['cost', undefined, 'must return an integer of at least 0, got undefined'],
      ['cost', null, 'got null'],
      ['cost', -1, 'got -1'],
      ['cost', 0.5, 'got 0.5'],
      ['cost', NaN, 'got NaN'],
      ['cost', Infinity, 'got Infinity'],
      ['cost', '1', 'got text'],
      ['record', 5, 'must return text or undefined, got a number'],
      ['record', null, 'got null'],
      ['record', { text: RAW }, 'got an object'],
    ])('rejects with UsageError: %s, %p', async (name, value, message) => {
      const { limiter, calls } = watched({
        tiers: [
          { ...hour, name: 'other' },
          { ...hour, [name]: () => answer(value) },
        ],
      });

      const consumed = limiter.consume({});

      await expect(consumed).rejects.toMatchObject({ name: 'UsageError', code: 'FUNCTION_FAILED' });
      await expect(consumed).rejects.toThrow(new RegExp(`^tier "hour".*${message}$`));
      expect(calls).toEqual([]);
    });

    it.each([[undefined], [null], [''], [5], [{ kind: 'tenant', parts: [] }]])('partition: %p', async (value) => {
      const { limiter, calls } = watched({ tiers: [hour], partition: () => answer(value) });

      await expect(limiter.consume({})).rejects.toThrow('limiter: the function partition must return a non-empty text');
      await expect(limiter.reset({})).rejects.toThrow('limiter: the function partition must return a non-empty text');
      expect(calls).toEqual([]);
    });
  });

  it('may return promises of other libraries and realms', async () => {
    const resolve = runInNewContext('(value) => Promise.resolve(value)') as <T>(value: T) => Promise<T>;
    const foreign =
      <T>(value: T) =>
      () =>
        resolve(value);
    const plan = [{ ...hour, key: foreign('ada'), limit: foreign(7), cost: foreign(2) }];

    const decision = await createLimiter({ tiers: foreign(plan), partition: foreign('tenant') }).consume({});

    expect(decision).toMatchObject({ allowed: true, outcomes: [{ limit: 7, remaining: 5 }] });
  });

  it('that fail leave reset and inspect undone', async () => {
    const { limiter, calls } = watched({ tiers: [{ ...hour, key: async () => '' }] });

    await expect(limiter.reset({})).rejects.toBeInstanceOf(UsageError);
    await expect(limiter.inspect({})).rejects.toBeInstanceOf(UsageError);
    expect(calls).toEqual([]);
  });

  it('show nothing of an identity in errors that they cause', async () => {
    const raw = 4_242_424_242;
    const answers = [raw, BigInt(raw), [raw], { user: raw }, Symbol(`${raw}`), new Date(raw), { kind: `${raw}` }];
    for (const answer of answers) {
      const { limiter } = watched({ tiers: [{ ...hour, key: () => answer }] });

      const error: Error = await Promise.resolve(limiter.consume({})).then(
        () => new Error('admitted'),
        (caught: Error) => caught,
      );

      expect(error).toBeInstanceOf(UsageError);
      expect(`${error.message} ${String(error.cause)}`).not.toContain(`${raw}`);
    }
  });
});

describe('the keys of tiers', () => {
  it('hold nothing of who asks, and the same tag for the same identity', async () => {
    const subject = { ip: '192.0.2.1', user: RAW };
    const tiers = [
      { ...hour, key: ({ user }: typeof subject) => user },
      { ...hour, name: 'other', key: async ({ user }: typeof subject) => user },
      { ...hour, name: 'ip', key: ({ ip }: typeof subject) => ({ kind: 'ip', parts: [ip] }) },
    ];
    const { limiter, claims } = watched({ tiers });

    await limiter.consume(subject);
    await limiter.reset(subject);

    const keys = claims.map((each) => each.key);
    const [ada, again, ip] = keys.map((key) => key.slice(0, 28));
    expect(keys.every((key) => /^rl:\{[\w-]{22}\}:(hour|other|ip):sw[\w-]{3}$/.test(key))).toBe(true);
    expect(ada).toBe(again);
    expect(ip).not.toBe(ada);
    expect(JSON.stringify(claims)).not.toMatch(/ada@|192\.0/);
  });

  it('share the tag of their partition', async () => {
    const { limiter, claims } = watched({
      prefix: 'app',
      secret: 'pepper',
      partition: async () => 'acme',
      tiers: [hour, { ...hour, name: 'other', key: () => 'bob' }],
    });

    await limiter.consume({});

    const [one, other] = claims.map((each) => /^app:\{([\w-]{22})\}:([\w-]{22}):/.exec(each.key)!);
    expect(one![1]).toBe(other![1]);
    expect(one![2]).not.toBe(other![2]);
  });

  it('are others for another secret, and for another prefix', async () => {
    const made: string[] = [];
    for (const options of [{}, { secret: 'pepper' }, { secret: 'salt' }, { prefix: 'app' }]) {
      const { limiter, claims } = watched({ tiers: [hour], ...options });
      await limiter.consume({});
      made.push(claims[0]!.key);
    }

    expect(new Set(made).size).toBe(4);
    expect(made[3]).toBe(made[0]!.replace('rl', 'app'));
    expect(made.join(' ')).not.toMatch(/pepper|salt/);
  });

  it('are reset and inspected as they were consumed', async () => {
    const { limiter, keys, claims } = watched({ tiers: [hour, { ...hour, name: 'other' }], partition: () => 'acme' });

    await limiter.consume({});
    await limiter.inspect({});
    await limiter.reset({});

    const consumed = claims.slice(0, 2).map((each) => each.key);
    expect(keys).toEqual([...consumed, ...consumed]);
  });
});

/** A limiter over a memory store, and what it asks of it. */
function watched(options: object) {
  const store = memoryStore();
  const calls: string[] = [];
  const claims: Claim[] = [];
  const keys: string[] = [];
  const claimed = (call: 'consume' | 'peek') => (group: readonly Claim[]) => {
    calls.push(call);
    claims.push(...group);
    return store[call](group);
  };
  const watching: Store = {
    consume: claimed('consume'),
    peek: claimed('peek'),
    refund: (receipts) => store.refund(receipts),
    reset: (given) => {
      keys.push(...given);
      store.reset(given);
    },
    inspect: (key) => {
      keys.push(key);
      return store.inspect(key);
    },
    close: () => store.close(),
  };
  const limiter = createLimiter({ store: watching, ...options } as LimiterOptions<object>);
  return { limiter, calls, claims, keys };
}
