import { IdentityDigest } from '@sluice/metrics/operations';
import { redisStore, type RedisStore } from '@sluice/redis';
import { openPolicies, redisPolicies, type Policies, type PoliciesOptions } from '@sluice/policies';
import { ChangeDesk } from '../../packages/dashboard/src/change-desk.js';
import { IdentityDesk } from '../../packages/dashboard/src/identity-desk.js';
import { BoundsOfRoles } from '../../packages/dashboard/src/support-bounds.js';
import { patient } from '../support/patient.js';
import { textOf } from './text-of.js';
import { withLimitsFile } from './with-limits-file.js';

interface Subject {
  readonly tenant: string;
}

const keys = { tenant: ({ tenant }: Subject) => tenant };
const KEY = 'rl:{~policies}:limits';

describe('policies.overrides', () => {
  const redis = withLimitsFile();
  const opened: { close(): unknown }[] = [];

  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
  });

  function openStore(): RedisStore {
    const store = redisStore({ url: redis.server.url }, patient);
    opened.push(store);
    return store;
  }

  async function openAdmin(options: PoliciesOptions<Subject> = {}): Promise<Policies<Subject>> {
    const policies = await openPolicies<Subject>(redis.file, { keys, fleet: redisPolicies(openStore()), ...options });
    opened.push(policies);
    return policies;
  }

  async function openProcess(secret?: string) {
    const store = openStore();
    const policies = await openAdmin({ fleet: redisPolicies(store) });
    const limiter = policies.limiter('api', { store, ...(secret !== undefined && { secret }) });
    const limitOf = async (tenant: string) => (await limiter.peek({ tenant })).outcomes[0]!.limit;
    return { policies, limitOf, store };
  }

  const override = { tier: 'hour', identity: 'acme', limit: 20, reason: 'ticket 1', by: 'ada' };

  it('works in a process that has no limiter of the tier', async () => {
    const [admin, one] = [await openAdmin(), await openProcess()];

    const set = await admin.overrides.set(override);
    await one.policies.refresh();
    const raised = await one.limitOf('acme');
    const lists = [admin.overrides.list(), one.policies.overrides.list()];
    const removed = await admin.overrides.remove({ tier: 'hour', identity: 'acme' });
    await one.policies.refresh();

    expect([raised, await one.limitOf('acme'), removed]).toEqual([20, 10, true]);
    expect(lists[0]).toEqual(lists[1]);
    expect(lists[0]).toEqual([
      { tier: 'hour', digest: set.digest, limit: 20, reason: 'ticket 1', by: 'ada', at: expect.any(Number) },
    ]);
    expect(admin.overrides.list()).toEqual([]);
  });

  it('has its author, who may be the person at a dashboard, and the time of Redis', async () => {
    const one = await openProcess();
    const { store } = one;
    const identities = new IdentityDesk(store, () => undefined);
    const bounds = new BoundsOfRoles({ lasts: 86_400_000, times: 10, units: 1 });
    const desk = new ChangeDesk({ store, identities, overrides: one.policies.overrides, bounds });
    await one.policies.overrides.set(override);
    const body = { kind: 'key', values: ['carl'], tier: 'hour', override: { limit: 30, reason: 'ticket 2' } };
    await desk.override(body, { by: 'grace', role: 'admin' });
    const { overrides, now } = await redisPolicies(openStore()).read();

    expect(overrides).toEqual([
      expect.objectContaining({ limit: 20, by: 'ada', reason: 'ticket 1', at: expect.any(Number) }),
      expect.objectContaining({ limit: 30, by: 'grace', reason: 'ticket 2', at: expect.any(Number) }),
    ]);
    expect(Math.max(...overrides.map(({ at }) => at!))).toBeLessThanOrEqual(now + 10);
  });

  it.each([
    [
      'without a secret, where its limiter has one',
      undefined,
      'pepper',
      'it was set without a secret, and its limiter has one',
    ],
    ['with another secret', 'salt', 'pepper', 'it was set with another secret, and its limiter has another one'],
    [
      'with a secret, where its limiter has none',
      'salt',
      undefined,
      'it was set with another secret, and its limiter has no secret',
    ],
  ])('refuses an override that was set %s, and says so', async (_what, theirs, own, message) => {
    const admin = await openAdmin(theirs === undefined ? {} : { secret: theirs });
    await admin.overrides.set(override);

    const one = await openProcess(own);
    const { problem, overrides } = one.policies.status();

    expect([await one.limitOf('acme'), overrides]).toEqual([10, 0]);
    expect(problem).toContain(`override of tier "hour": ${message}`);
    expect(problem).not.toMatch(/salt|pepper/);
  });

  it('takes an override that a process without limiters has set with the secret of the limiter', async () => {
    const [admin, one] = [await openAdmin({ secret: 'pepper' }), await openProcess('pepper')];

    await admin.overrides.set(override);
    await one.policies.refresh();

    expect([await one.limitOf('acme'), one.policies.status().problem]).toEqual([20, undefined]);
    expect(JSON.stringify(await redis.client.hgetall(`${KEY}:overrides`))).not.toMatch(/acme|pepper/);
  });

  it('reads one row for one more override among thousands, and checks this one alone', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const fleet = redisPolicies(openStore());
    const digest = (index: number) => String(index).padStart(22, '0');
    const pairs = Array.from({ length: 9_000 }, (_, index) => [`${digest(index)} hour`, '{"limit":7,"reason":"x"}']);
    await redis.client.hset(`${KEY}:overrides`, ...pairs.flat());
    await one.policies.overrides.set(override);
    // All rows are read before those are counted that are read for one more: by the writer, too. A busy machine may not read them
    // within the deadline of a call.
    for (const each of [one, other, one, other]) {
      do await each.policies.refresh();
      while (each.policies.overrides.list().length < 9_001);
    }
    const before = await fleet.follow({ position: undefined, text: undefined });

    const checked: unknown[] = [];
    const spy = jest.spyOn(JSON, 'parse').mockImplementation((...args) => {
      checked.push(args);
      return realParse(...args);
    });
    await one.policies.overrides.set({ ...override, identity: new IdentityDigest(digest(5)), limit: 8 });
    const { overrides } = await fleet.follow({ position: before, text: undefined });
    await other.policies.refresh();
    spy.mockRestore();

    expect(overrides).toEqual({ changed: [expect.objectContaining({ field: `${digest(5)} hour` })] });
    // By the writer, by this spec and by the other process, each once or twice.
    expect(checked.length).toBeLessThan(10);
    expect(other.policies.overrides.list()).toHaveLength(9_001);
    expect(other.policies.overrides.list().find((each) => each.digest === digest(5))).toMatchObject({ limit: 8 });
  });

  it('puts as many overrides in force as a limiter can have, with those of the file, and says what it leaves out', async () => {
    const own = Array.from(
      { length: 3 },
      (_, index) => `  - { tier: hour, identity: own${index}, limit: 5, reason: x }\n`,
    );
    const pairs = Array.from({ length: 9_999 }, (_, index) => [
      `${String(index).padStart(22, '0')} hour`,
      '{"limit":7,"reason":"x"}',
    ]);
    await redis.client.hset(`${KEY}:overrides`, ...pairs.flat());
    await redisPolicies(openStore()).apply({
      text: `${textOf(10)}overrides:\n${own.join('')}`,
      expected: 0,
      by: 'ada',
      reason: 'x',
    });

    const one = await openProcess();

    expect(one.policies.status()).toMatchObject({
      overrides: 10_000,
      problem: expect.stringContaining(
        'at most 10000 overrides of a limiter are in force, and it has 10002 with those of the file',
      ),
    });
  });
});

const realParse = JSON.parse.bind(JSON);
