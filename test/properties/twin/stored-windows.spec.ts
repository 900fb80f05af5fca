import type { WindowOptions } from '../../../packages/core/src/algorithms/fixed-window/fixed-window.js';
import type { FixedWindowPolicy } from '../../../packages/core/src/algorithms/fixed-window/window-policy.js';
import { definePolicy } from '../../../packages/core/src/algorithms/named/policy-options.js';
import { candidate, consumeGroup } from '../../../packages/core/src/algorithms/group.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import { withRedisStore } from '../../support/redis-store.js';
import { Random } from './random.js';
import { RedisTwin } from './redis-twin.js';

const BITS = 2 ** 21;
const MAX_COUNT = 2 ** 32 - 1;

type Window = readonly [count: number, end: number];

let keys = 0;

function claimOf(policy: Policy): Claim {
  keys += 1;
  return { tier: 'tier', key: `key ${keys}`, policy, cost: 1, shadow: false, record: undefined };
}

describe('the state that Redis stores', () => {
  let redis: RedisTwin;
  const opened = withRedisStore(({ client }) => (redis = new RedisTwin(client)));

  it('is a bare count in a sliding window whose slot number has only zero bits, and expires with it', async () => {
    const claim = claimOf(definePolicy({ limit: 100, window: '1s' }));
    const second = 2 ** 13 * 500_000;

    const replies = [];
    for (const microseconds of [5, 700, 999_999])
      replies.push(await redis.consume([{ claims: [claim], peek: false }], second * 1e6 + microseconds));

    expect(replies.map(({ result }) => result[0]![0]!.remaining)).toEqual([99, 98, 97]);
    expect(replies.map(({ expiry }) => expiry.get(claim.key))).toEqual(Array(3).fill((second + 2) * 1000));
    expect(await opened.client.get(claim.key)).toBe('3');
  });

  it('is a log whose waits are exact after its limit was cut, also for single units', async () => {
    const [high, low] = [10, 3].map((limit) => definePolicy({ limit, window: '1m' })) as [Policy, Policy];
    const claim = claimOf(high);
    const start = 4e15;
    for (const second of [0, 1, 2, 3, 4]) {
      await redis.consume([{ claims: [claim], peek: false }], start + second * 1e6);
    }

    const { result } = await redis.consume([{ claims: [{ ...claim, policy: low }], peek: false }], start + 10e6);

    // Three units of five must lapse: the third is 8 seconds old.
    expect((result[0]![0]!.retryAfter * low.tick) / 1e6).toBe(52);
  });

  // Decision 25.
  it.each([
    ['fixed-window', { algorithm: 'fixed-window', limit: 10, window: '1h' }, 3.3, 3.5],
    ['sliding-window up to 64', { limit: 10, window: '1h' }, 6.3 * 24, 6.4 * 24],
    ['sliding-window above', { limit: 100, window: '1h' }, 170 * 24, 171 * 24],
    ['sliding-window-log', { algorithm: 'sliding-window-log', limit: 10, window: '1h' }, 400 * 24, undefined],
    ['token-bucket', { algorithm: 'token-bucket', limit: 10, window: '1h' }, 400 * 24, undefined],
  ] as const)(
    'counts again without an expiry only when its bits come round: %s',
    async (_name, options, over, again) => {
      const policy = definePolicy(options);
      const claim = claimOf(policy);
      const hour = 3_600_000_000;
      const start = 1_111_112 * hour;
      const look = async (hours = 0) => {
        const { result } = await redis.consume([{ claims: [claim], peek: true }], start + Math.round(hours * hour));
        return result[0]![0]!.remaining;
      };
      await redis.consume([{ claims: [{ ...claim, cost: policy.limit }], peek: false }], start);
      await opened.client.persist(claim.key);

      expect([await look(), await look(over), await look(again)]).toEqual([0, policy.limit, 0]);
    },
  );

  it('outlives the time of a busy token bucket, whether units travel alone or together', async () => {
    const policy = definePolicy({ algorithm: 'token-bucket', limit: 64, window: '64s' });
    const claims = [claimOf(policy), claimOf(policy)];
    const missing: number[] = [];
    let now = 4e15;
    const consume = async (groups: readonly Claim[]) => {
      const { result, expiry } = await redis.consume(
        groups.map((claim) => ({ claims: [claim], peek: false })),
        now,
      );
      for (const [index, { key }] of groups.entries()) {
        missing.push(now + result[index]![0]!.resetAfter - expiry.get(key)! * 1000);
      }
    };

    await consume(claims.map((claim) => ({ ...claim, cost: 60 })));
    for (let second = 1; second <= 90; second += 1) {
      now += 1e6;
      await consume(claims.slice(0, 1));
      if (second % 2 === 0) await consume(claims);
    }

    expect(missing.filter((time) => time > 0)).toEqual([]);
  });

  const rings = {
    'a strict window': definePolicy({ limit: 100, window: '10s', strict: true, precision: 10 }),
    'a window of four slots': definePolicy({ limit: 100, window: '4s', precision: 4 }),
    'several windows': definePolicy({
      algorithm: 'multi-window',
      windows: [
        { limit: 30, window: '1s' },
        { limit: 100, window: '8s' },
      ],
    }),
  };

  it.each(Object.entries(rings))(
    'has the sum of its counts in a ring, and units fit by it: %s',
    async (_name, policy) => {
      const random = new Random(7);
      const claims = [claimOf(policy), claimOf(policy)];
      const states = new Map<string, unknown>();
      const sums: [stored: number, counted: number][] = [];
      const replies: [lua: unknown, typescript: unknown][] = [];

      for (let call = 0, now = 4e15; call < 200; call += 1) {
        now +=
          Math.floor(random.pick([0, 1e3, 1e5, 5e5, 1e6, 3e6]) * random.fraction()) + (random.chance(0.01) ? 2e7 : 0);
        const groups = Array.from({ length: random.integer(1, 12) }, () => [random.pick(claims)]);
        const typescript = groups.map((group) => consumeInMemory(group, states, now));
        const { result } = await redis.consume(
          groups.map((group) => ({ claims: group, peek: false })),
          now,
        );
        replies.push([result, typescript]);
        for (const { key } of claims) {
          const text = await opened.client.getBuffer(key);
          if (text === null) continue;
          let counted = 0;
          for (let at = 10; at < text.length; at += 4) counted += text.readUInt32BE(at);
          sums.push([text.readUIntBE(5, 5), counted]);
        }
      }

      expect(replies.map(([lua]) => lua)).toEqual(replies.map(([, typescript]) => typescript));
      expect(sums.map(([stored]) => stored)).toEqual(sums.map(([, counted]) => counted));
    },
  );

  /** Groups that charge a key once, next to other keys of the policy. Each runs another script, or another part of one. */
  const groupings: ((one: Claim, other: () => Claim) => Claim[][])[] = [
    (one) => [[one]],
    (one, other) => [[one], [other()]],
    (one, other) => [[one], [one], [other()], [one]],
    (one, other) => [
      [one, other()],
      [other(), other()],
    ],
    (one, other) => [
      [other(), one],
      [other(), one],
    ],
    // Enough groups for the script that charges all of them optimistically.
    (one, other) => [
      [other(), other()],
      [one, other()],
      [other(), other()],
      [other(), other()],
    ],
    (one, other) => [
      [other(), one],
      [other(), other()],
      [other(), one],
      [other(), one],
    ],
  ];

  const windows: [name: string, options: Omit<WindowOptions, 'algorithm' | 'limit'>][] = [
    ['a minute', { window: '1m' }],
    ['the largest number of grains', { window: 2 ** 20 }],
    ['a day', { window: '1d' }],
    ['400 days', { window: '400d' }],
    ['a minute of the clock', { window: '1m', anchor: 'clock' }],
  ];

  // One window at each distance from the wrap, and the others at it: they differ by the size of their grains.
  const cases = windows.flatMap(([name, options], index) =>
    [3, MAX_COUNT].flatMap((limit) =>
      (index === 0 ? [0, 1, 2, 40_000, 2 ** 20] : [0, 1]).map((left) => ({ name, options, limit, left })),
    ),
  );

  // Redis stores the low bits of a window's end, which wrap. These cases lie at that wrap and at the edges of counts.
  it.each(cases)(
    'is that of TypeScript by every script: fixed window of $name, limit $limit, $left grains before its bits wrap',
    async ({ options, limit, left }) => {
      const policy = definePolicy({ algorithm: 'fixed-window', limit, ...options }) as FixedWindowPolicy;
      const wrap = Math.ceil((4e15 / policy.grain + left) / BITS) * BITS;
      const current = wrap - left;
      const now = current * policy.grain + 700;
      const last = Math.ceil((now + policy.reach) / policy.grain);
      const ends = [current, current + 1, last, last + 1, wrap - 1, wrap, wrap + 1].filter(
        (end) => end > current - 2 ** 18 && end < last + 2 ** 18,
      );
      const states = ends.flatMap((end) =>
        [0, limit - 1, limit, MAX_COUNT].map((count): Window => [count, end * policy.grain]),
      );

      const results = await Promise.all(
        [undefined, ...states].flatMap((state) =>
          groupings.map((groupsOf) => {
            const one = claimOf(policy);
            const groups = groupsOf(one, () => claimOf(policy));
            return consumeInBoth({ one, groups, state, now });
          }),
        ),
      );

      expect(results.map(({ lua }) => lua)).toEqual(results.map(({ typescript }) => typescript));
    },
  );

  /** Charges groups in both languages, where the key of `one` has a state. Returns the rulings and the stored states. */
  async function consumeInBoth({ one, groups, state, now }: StoredCase) {
    const policy = one.policy as FixedWindowPolicy;
    const expires = Math.ceil(Math.max(state?.[1] ?? 0, now) / 1000) + 1;
    if (state) await opened.client.set(one.key, packed(state, policy), 'PXAT', expires);
    const states = new Map<string, unknown>([[one.key, state]]);
    const rulings = groups.map((claims) => consumeInMemory(claims, states, now));

    const reply = await redis.consume(
      groups.map((claims) => ({ claims, peek: false })),
      now,
    );

    const used = [...new Set(groups.flat().map(({ key }) => key))];
    const storedInRedis = async (key: string) => ({
      value: await opened.client.get(key),
      expires: reply.expiry.get(key),
    });
    const expectedInRedis = (key: string) => {
      const stored = states.get(key) as Window | undefined;
      // A denied request stores nothing.
      if (stored === undefined) return { value: null, expires: -2 };
      const isUnchanged = key === one.key && stored[1] === state?.[1];
      return { value: String(packed(stored, policy)), expires: isUnchanged ? expires : Math.ceil(stored[1] / 1000) };
    };
    return {
      lua: { state, rulings: reply.result, stored: await Promise.all(used.map(storedInRedis)) },
      typescript: { state, rulings, stored: used.map(expectedInRedis) },
    };
  }
});

interface StoredCase {
  readonly one: Claim;
  readonly groups: Claim[][];
  readonly state: Window | undefined;
  /** Microseconds. */
  readonly now: number;
}

function consumeInMemory(claims: readonly Claim[], states: Map<string, unknown>, now: number) {
  const candidates = claims.map((claim) => candidate(claim, states.get(claim.key)));
  consumeGroup(candidates, now);
  for (const { claim, changed, state } of candidates) if (changed) states.set(claim.key, state);
  return candidates.map(({ ruling }) => ruling!);
}

function packed([count, end]: Window, { grain }: FixedWindowPolicy): number {
  return ((end / grain) % BITS) * 2 ** 32 + count;
}
