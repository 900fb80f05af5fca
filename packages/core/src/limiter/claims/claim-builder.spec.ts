import { runInNewContext } from 'node:vm';

import type { Claim } from '../../model/claim.js';
import { UsageError } from '../../model/errors.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { sharedLayers } from '../../stores/between-processes/shared-layers.js';
import type { AbleStore } from '../../stores/store.js';
import type { LimiterOptions } from '../limiter-options.js';
import { byIp } from '../../../../http/src/keys/ip.js';
import { createLimiter } from '../limiter.js';
import type { Tier } from '../tiers/tier.js';

const RAW = 'ada@example.org';
const hour: Tier<unknown> = { name: 'hour', key: () => RAW, limit: 10, window: '1h' };
const other = { ...hour, name: 'other' };

describe('ClaimBuilder', () => {
  it('calls all functions with the subject, in order, before it awaits one', async () => {
    const subject = { ip: '192.0.2.1' };
    const calls: string[] = [];
    const returning =
      <T>(name: string, value: T) =>
      (given: unknown) => {
        calls.push(given === subject ? name : 'another subject');
        return Promise.resolve(value).finally(() => calls.push('awaited'));
      };
    const tier = (name: string) => ({
      ...hour,
      name,
      key: returning(`key of ${name}`, 'ada'),
      limit: returning(`limit of ${name}`, 10),
      cost: returning(`cost of ${name}`, 1),
      record: returning(`record of ${name}`, undefined),
      label: returning(`label of ${name}`, undefined),
    });
    const plan = [{ ...tier('minute'), window: '1m' as const }, tier('hour')];

    await createLimiter({ partition: returning('partition', 'tenant'), tiers: plan }).consume(subject);

    const inOrder = ['hour', 'minute'].flatMap((name) =>
      ['key', 'limit', 'cost', 'record', 'label'].map((each) => `${each} of ${name}`),
    );
    expect(calls).toEqual(['partition', ...inOrder, ...Array<string>(11).fill('awaited')]);
  });

  it('calls the other functions after one has thrown', async () => {
    const calls: string[] = [];
    const key = (name: string) => () => {
      calls.push(name);
      throw new Error(name);
    };
    const tiers = [
      { ...hour, key: key('hour') },
      { ...other, key: key('other') },
    ];

    await expect(createLimiter({ tiers }).consume({})).rejects.toThrow('tier "hour": the function key failed');
    expect(calls).toEqual(['hour', 'other']);
  });

  const failing = new Error('the user has gone');

  describe.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw failing;
      },
    ],
    ['rejects', async () => Promise.reject(failing)],
  ])('with a function that %s', (_how, fail) => {
    it.each<[string, string, object]>([
      ['tier "hour"', 'key', { tiers: [{ ...hour, key: fail }] }],
      ['tier "hour"', 'limit', { tiers: [{ ...hour, limit: fail }] }],
      ['tier "hour"', 'cost', { tiers: [{ ...hour, cost: fail }] }],
      ['tier "hour"', 'record', { tiers: [{ ...hour, record: fail }] }],
      ['tier "hour"', 'label', { tiers: [{ ...hour, label: fail }] }],
      ['limiter', 'partition', { tiers: [hour], partition: fail }],
      ['limiter', 'tiers', { tiers: fail }],
    ])('rejects with UsageError before it calls the store: %s, %s', async (owner, name, options) => {
      const { limiter, calls } = watched(options);
      const message = `${owner}: the function ${name} failed with Error: the message is in its cause`;

      for (const call of [limiter.consume({}), limiter.peek({})]) {
        await expect(call).rejects.toBeInstanceOf(UsageError);
        await expect(call).rejects.toMatchObject({ code: 'FUNCTION_FAILED', cause: failing, message });
      }
      expect(calls).toEqual([]);
    });
  });

  it.each<[string, object, string]>([
    [
      'without user and body',
      { headers: {} },
      '. The request has no user and no body yet: run the limit after authentic',
    ],
    [
      'without a user',
      { headers: {}, body: {} },
      '. The request has no user yet: run the limit after authentication (',
    ],
    [
      'without a body',
      { headers: {}, user: {} },
      '. The request has no body yet: run the limit after the body parser (',
    ],
    ['with user and body', { headers: {}, user: {}, body: {} }, ''],
    ['of Hono', { headers: {}, context: {} }, '. On Hono the function gets a subject, and c is its context: write ({'],
    ['that is not a request', {}, ''],
  ])('has the message of a TypeError in that of its own for a subject %s', async (_what, subject, hint) => {
    const key = () => {
      throw new TypeError("Cannot read properties of undefined (reading 'user')");
    };

    const consumed = createLimiter({ ...hour, key }).consume(subject);

    await expect(consumed).rejects.toMatchObject({ code: 'FUNCTION_FAILED', cause: expect.any(TypeError) });
    await expect(consumed).rejects.toThrow(
      `tier "hour": the function key failed: Cannot read properties of undefined (reading 'user')${hint}`,
    );
    await expect(consumed).rejects.toThrow(hint === '' ? /\)$/ : /authentic|parser|context/);
  });

  it.each<[string, (request: never) => unknown, string]>([
    [
      'the user',
      (request: { user: { id: string } }) => request.user.id,
      'no user yet: run the limit after authentication (',
    ],
    ['claims', ({ auth }: { auth: { sub: string } }) => auth.sub, 'no auth yet: run the limit after authentication ('],
    [
      'the body',
      (request: { body: { id: string } }) => request.body.id,
      'no body yet: run the limit after the body parser (',
    ],
    [
      'a session',
      async (request: { session: { id: string } }) => request.session.id,
      'no session yet: run the limit after the',
    ],
    [
      'something else',
      (request: { team: { id: string } }) => request.team.id,
      'no user and no body yet: run the limit after',
    ],
  ])('says when a request has got what its function reads: %s', async (_what, key, hint) => {
    const consumed = createLimiter<never>({ ...hour, key: key as () => string }).consume({ headers: {} } as never);

    await expect(consumed).rejects.toThrow(`. The request has ${hint}`);
  });

  it.each<[string, unknown, string]>([
    [
      'an error with a code',
      Object.assign(new Error(RAW), { code: 'ECONNREFUSED' }),
      'with Error ECONNREFUSED: the mess',
    ],
    [
      'an error of a library',
      Object.assign(new Error(RAW), { name: 'PrismaError' }),
      'with PrismaError: the message is in its',
    ],
    [
      'an error with a long name',
      Object.assign(new Error(RAW), { name: `${RAW} gone` }),
      'with an object: the message is in',
    ],
    [
      'an error with a code that quotes',
      Object.assign(new Error(RAW), { code: `no ${RAW}` }),
      'with Error: the message is',
    ],
    ['text', RAW, 'with text: the message is in its cause'],
  ])('names the kind of an error without its message: %s', async (_what, error, words) => {
    const consumed = createLimiter({ ...hour, key: async () => Promise.reject(error) }).consume({});

    await expect(consumed).rejects.toThrow(`tier "hour": the function key failed ${words}`);
    await expect(consumed).rejects.toMatchObject({ message: expect.not.stringContaining(RAW), cause: error });
  });

  it('hides the message of a TypeError that quotes the subject', async () => {
    const consumed = createLimiter({ ...hour, key: byIp() }).consume(RAW as never);

    const hint = "The subject is text: if the function reads a property of it, pass an object such as { ip: '203";
    await expect(consumed).rejects.toThrow(
      `the function key failed with TypeError: the message is in its cause. ${hint}`,
    );
    await expect(consumed).rejects.toMatchObject({ message: expect.not.stringContaining(RAW) });
  });

  it('hides the message of a TypeError that quotes an address as a property', async () => {
    const plans = undefined as unknown as Record<string, string>;
    const key = ({ email }: { email: string }) => plans[email]!;

    const consumed = createLimiter({ ...hour, key }).consume({ email: 'ada@example.com' });

    await expect(consumed).rejects.toThrow(
      /^tier "hour": the function key failed with TypeError: the message is in its cause$/,
    );
  });

  it('has the message of a ReferenceError of the function tiers in that of its own', async () => {
    const limiter = createLimiter({
      tiers: () => {
        throw new ReferenceError('plans is not defined');
      },
    });

    await expect(limiter.consume({})).rejects.toThrow(/^limiter: the function tiers failed: plans is not defined$/);
  });

  describe.each<[string, (value: unknown) => unknown]>([
    ['returns', (value) => value],
    ['resolves to', async (value) => value],
  ])('with a function that %s an invalid value', (_how, answer) => {
    it.each<[string, unknown, string]>([
      ['key', undefined, 'must return a non-empty text, a whole number or an identity, got undefined'],
      ['key', null, 'got null'],
      ['key', '', 'got empty text'],
      ['key', 1.5, 'got a number'],
      ['key', NaN, 'got a number: what it reads is missing, or is no number'],
      ['key', 2 ** 53, 'got a number'],
      ['key', [RAW], 'got an array of 1'],
      ['key', { kind: 'ip', parts: [] }, 'got an object'],
      ['key', { kind: 'ip', parts: [RAW, 5] }, 'got an object'],
      ['limit', undefined, 'must return an integer of at least 0, or null, got undefined'],
      ['limit', -1, 'must return an integer of at least 0, or null, got -1'],
      ['limit', 1.5, 'got 1.5'],
      ['limit', NaN, 'got NaN: what it reads is missing, or is no number'],
      ['limit', Infinity, 'got Infinity'],
      ['limit', '10', 'got text'],
      ['limit', true, 'got a boolean'],
      ['limit', 2 ** 32, 'limit must be an integer from 1 to 4294967295, got 4294967296, from the function limit'],
      ['cost', undefined, 'must return an integer of at least 0, got undefined'],
      ['cost', null, 'got null'],
      ['cost', -1, 'got -1'],
      ['cost', 0.5, 'got 0.5'],
      ['cost', '1', 'got text'],
      ['record', 5, 'must return text or undefined, got a number'],
      ['record', null, 'got null'],
      ['record', { text: RAW }, 'got an object'],
      ['label', 5, 'must return text or undefined, got a number'],
    ])('rejects with UsageError before it calls the store: %s, %p', async (name, value, message) => {
      const { limiter, calls } = watched({ tiers: [other, { ...hour, [name]: () => answer(value) }] });

      const consumed = limiter.consume({});

      await expect(consumed).rejects.toMatchObject({ name: 'UsageError', code: 'FUNCTION_FAILED' });
      await expect(consumed).rejects.toThrow(new RegExp(`^tier "hour".*${message}$`));
      expect(calls).toEqual([]);
    });

    it.each([[undefined], [null], [''], [1.5], [{ kind: 'tenant', parts: [] }]])(
      'rejects every call with UsageError: partition, %p',
      async (value) => {
        const { limiter, calls } = watched({ tiers: [hour], partition: () => answer(value) });

        for (const call of [limiter.consume({}), limiter.reset({}), limiter.inspect({})]) {
          await expect(call).rejects.toThrow('limiter: the function partition must return a non-empty text');
        }
        expect(calls).toEqual([]);
      },
    );
  });

  it('leaves reset and inspect undone when a key is invalid', async () => {
    const { limiter, calls } = watched({ tiers: [{ ...hour, key: async () => '' }] });

    await expect(limiter.reset({})).rejects.toBeInstanceOf(UsageError);
    await expect(limiter.inspect({})).rejects.toBeInstanceOf(UsageError);
    expect(calls).toEqual([]);
  });

  it('takes promises of other libraries and realms', async () => {
    const resolve = runInNewContext('(value) => Promise.resolve(value)') as <T>(value: T) => Promise<T>;
    const foreign =
      <T>(value: T) =>
      () =>
        resolve(value);
    const plan = [{ ...hour, key: foreign('ada'), limit: foreign(7), cost: foreign(2) }];

    const decision = await createLimiter({ tiers: foreign(plan), partition: foreign('tenant') }).consume({});

    expect(decision).toMatchObject({ allowed: true, outcomes: [{ limit: 7, remaining: 5 }] });
  });

  it.each([0, () => 0])('lets a backoff with a limit of %p block after a strike, beside functions', async (limit) => {
    const delays = { window: '1h', delays: ['1m'], forgive: 'one' } as const;
    const strikes = { ...delays, name: 'strikes', key: hour.key, algorithm: 'backoff', limit } as const;
    const limiter = createLimiter<object>({ tiers: [strikes, { ...hour, cost: () => 1 }] });

    const decisions = [await limiter.consume({}), await limiter.consume({})];
    const [inspection] = await limiter.inspect({}, { tiers: ['strikes'] });

    expect(decisions.map(({ reason }) => reason)).toEqual(['ok', 'denied']);
    expect(inspection!.outcome).toMatchObject({ allowed: false, never: false, limit: 0 });
    expect(inspection!.outcome.retryAfter).toBeLessThanOrEqual(60_000);
  });

  it('quotes nothing of an identity in its errors', async () => {
    const raw = 4_242_424_242;
    const answers = [raw + 0.5, [raw], { user: raw }, Symbol(`${raw}`), new Date(raw), { kind: `${raw}` }];
    for (const answer of answers) {
      const limiter = createLimiter({ tiers: [{ ...hour, key: () => answer as never }] });

      const error: Error = await Promise.resolve(limiter.consume({})).then(
        () => new Error('admitted'),
        (caught: Error) => caught,
      );

      expect(error).toBeInstanceOf(UsageError);
      expect(`${error.message} ${String(error.cause)}`).not.toContain(`${raw}`);
    }
  });

  it('gives equal identities one tag, and no claim the identity itself', async () => {
    const subject = { ip: '192.0.2.1', user: RAW };
    const tiers = [
      { ...hour, key: ({ user }: typeof subject) => user },
      { ...other, key: async ({ user }: typeof subject) => user },
      { ...hour, name: 'ip', key: ({ ip }: typeof subject) => ({ kind: 'ip', parts: [ip] }) },
    ];
    const { limiter, claims } = watched({ tiers });

    await limiter.consume(subject);

    const keys = claims.map((each) => each.key);
    const [ada, again, ip] = keys.map((key) => key.slice(0, 28));
    expect(keys.every((key) => /^rl:\{[\w-]{22}\}:(hour|other|ip):sw[\w-]{3}$/.test(key))).toBe(true);
    expect([ada === again, ada === ip]).toEqual([true, false]);
    expect(JSON.stringify(claims)).not.toMatch(/ada@|192\.0/);
  });

  it('gives a partition one tag, and resets and inspects the keys that were consumed', async () => {
    const tiers = [hour, { ...other, key: () => 'bob' }];
    const { limiter, claims, keys } = watched({
      prefix: 'app',
      secret: 'pepper',
      partition: async () => 'acme',
      tiers,
    });

    await limiter.consume({});
    await limiter.inspect({});
    await limiter.reset({});

    const consumed = claims.slice(0, 2).map((each) => each.key);
    const [one, two] = consumed.map((key) => /^app:\{([\w-]{22})\}:([\w-]{22}):/.exec(key)!);
    expect([one![1] === two![1], one![2] === two![2]]).toEqual([true, false]);
    expect(keys).toEqual([...consumed, ...consumed]);
  });
});

/** A limiter over a memory store, with the calls that the store receives. */
function watched(options: object) {
  const store = memoryStore();
  const calls: string[] = [];
  const claims: Claim[] = [];
  const keys: string[] = [];
  const decide = (call: 'consume' | 'peek') => (group: readonly Claim[]) => {
    calls.push(call);
    claims.push(...group);
    return store[call](group);
  };
  const watching: AbleStore = {
    layers: sharedLayers,
    consume: decide('consume'),
    peek: decide('peek'),
    refund: (receipts) => store.refund(receipts),
    reset: (given) => {
      keys.push(...given);
      store.reset(given);
    },
    recorded: (key) => {
      keys.push(key);
      return store.recorded(key);
    },
    close: () => store.close(),
  };
  const limiter = createLimiter({ store: watching, ...options } as LimiterOptions<object>);
  return { limiter, calls, claims, keys };
}
