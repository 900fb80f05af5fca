import { Redis } from 'ioredis';
import { candidate, consumeGroup } from '../../../packages/core/src/algorithms/group.js';
import type {
  FixedWindowOptions,
  FixedWindowPolicy,
} from '../../../packages/core/src/algorithms/fixed-window/fixed-window.js';
import { definePolicy } from '../../../packages/core/src/algorithms/policy-options.js';
import type { Claim } from '../../../packages/core/src/model/claim.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { RedisTwin } from './redis-twin.js';

const BITS = 2 ** 21;
const MOST = 2 ** 32 - 1;

// As few bits of a part are kept, they begin again in many windows: here at the edges of that, and of counts.
describe('a fixed window from an earlier call', () => {
  let server: RedisServer;
  let client: Redis;
  let twin: RedisTwin;
  let keys = 0;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.path);
    twin = new RedisTwin(client);
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  const claimOf = (policy: Policy): Claim => {
    keys += 1;
    return { tier: 'tier', key: `key ${keys}`, policy, cost: 1, shadow: false, countDenied: false, record: undefined };
  };

  /** Ways to ask for a unit of a key, beside others under the policy: each has a script, or a part of one. */
  const ways: ((one: Claim, other: () => Claim) => Claim[][])[] = [
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
    // So many that they are charged at once.
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

  const windows: [name: string, options: Omit<FixedWindowOptions, 'algorithm' | 'limit'>][] = [
    ['a minute', { window: '1m' }],
    ['as many grains as there can be', { window: 2 ** 20 }],
    ['a day', { window: '1d' }],
    ['400 days', { window: '400d' }],
    ['a minute of the clock', { window: '1m', anchor: 'clock' }],
  ];

  const cases = windows.flatMap(([name, options]) =>
    [3, MOST].flatMap((limit) => [0, 1, 2, 40_000, 2 ** 20].map((left) => ({ name, options, limit, left }))),
  );

  it.each(cases)(
    'is charged alike by every script: $name, limit $limit, $left grains before its bits wrap',
    async ({ options, limit, left }) => {
      const policy = definePolicy({ algorithm: 'fixed-window', limit, ...options }) as FixedWindowPolicy;
      const turn = Math.ceil((4e15 / policy.grain + left) / BITS) * BITS;
      const current = turn - left;
      const now = current * policy.grain + 700;
      const last = Math.ceil((now + policy.reach) / policy.grain);
      const near = [current, current + 1, last, last + 1, turn - 1, turn, turn + 1];
      const parts = near.filter((part) => part > current - 2 ** 18 && part < last + 2 ** 18);
      const states = parts.flatMap((part) =>
        [0, limit - 1, limit, MOST].map((count): Window => [count, part * policy.grain]),
      );

      const asked = [undefined, ...states].flatMap((state) => ways.map((way) => ask(way, policy, state, now)));
      const answered = await Promise.all(asked);

      expect(answered.map(({ lua }) => lua)).toEqual(answered.map(({ typescript }) => typescript));
    },
  );

  /** What each twin says of a key that keeps a state, and keeps. */
  async function ask(way: (typeof ways)[number], policy: FixedWindowPolicy, state: Window | undefined, now: number) {
    const one = claimOf(policy);
    const groups = way(one, () => claimOf(policy));
    const expires = Math.ceil(Math.max(state?.[1] ?? 0, now) / 1000) + 1;
    if (state) await client.set(one.key, packed(state, policy), 'PXAT', expires);
    const states = new Map<string, unknown>([[one.key, state]]);
    const rulings = groups.map((group) => ruleOn(group, states, now));

    const reply = await twin.consume(
      groups.map((claims) => ({ claims, peek: false })),
      now,
    );

    const asked = [...new Set(groups.flat().map(({ key }) => key))];
    const keptOf = async (key: string) => ({ value: await client.get(key), expires: reply.expiry.get(key) });
    const lua = { rulings: reply.result, kept: await Promise.all(asked.map(keptOf)) };
    const toBeKept = (key: string) => {
      const kept = states.get(key) as Window | undefined;
      // Of a request that is denied nothing is left.
      if (kept === undefined) return { value: null, expires: -2 };
      const isAsBefore = key === one.key && kept[1] === state?.[1];
      return { value: String(packed(kept, policy)), expires: isAsBefore ? expires : Math.ceil(kept[1] / 1000) };
    };
    const typescript = { rulings, kept: asked.map(toBeKept) };
    return { lua: { state, ...lua }, typescript: { state, ...typescript } };
  }
});

type Window = readonly [count: number, ends: number];

function packed([count, ends]: Window, { grain }: FixedWindowPolicy): number {
  return ((ends / grain) % BITS) * 2 ** 32 + count;
}

function ruleOn(group: readonly Claim[], states: Map<string, unknown>, now: number) {
  const candidates = group.map((claim) => candidate(claim, states.get(claim.key)));
  consumeGroup(candidates, now);
  for (const { claim, changed, state } of candidates) if (changed) states.set(claim.key, state);
  return candidates.map(({ ruling }) => ruling!);
}
