import type { Store, Tier } from '@sluice/core';
import { limiterOf, newCaller, onEveryStore, remainingIn, tier, type Caller } from './every-store.js';

type Tiers = readonly Tier<Caller>[];
type Units = number | Readonly<Record<string, number>>;
type Remaining = Readonly<Record<string, number>>;

const hour = tier('hour', 100);
const requests = tier('requests', 10, { cost: 1 });
const shadow = (limit: number) => tier('shadow', limit, { mode: 'shadow' });

const refunds: readonly [
  name: string,
  tiers: Tiers,
  cost: number,
  units: Units | undefined,
  given: number,
  Remaining,
][] = [
  [
    'returns all units of a decision, also of shadow tiers',
    [tier('hour', 9), tier('tokens', 50, { cost: 20 }), shadow(5)],
    3,
    undefined,
    26,
    { tokens: 50, hour: 9, shadow: 5 },
  ],
  [
    'returns at most so many units of each tier',
    [tier('hour', 9), tier('tokens', 50, { cost: 20 })],
    3,
    5,
    8,
    { tokens: 35, hour: 9 },
  ],
  [
    'returns units of named tiers alone',
    [requests, tier('tokens', 1_000)],
    500,
    { tokens: 200 },
    200,
    { requests: 9, tokens: 700 },
  ],
  ['returns nothing of a decision with cost 0', [hour], 0, undefined, 0, { hour: 100 }],
];

const settlements: readonly [name: string, tiers: Tiers, reserved: number, units: Units, change: number, Remaining][] =
  [
    ['refunds a difference', [hour], 40, 25, -15, { hour: 75 }],
    ['charges a difference', [hour], 40, 65, 25, { hour: 35 }],
    [
      'charges up to full',
      [hour, tier('bucket', 100, { algorithm: 'token-bucket', window: '1d' })],
      40,
      1_000,
      120,
      { bucket: 0, hour: 0 },
    ],
    [
      'charges into an overdraft',
      [tier('bucket', 100, { algorithm: 'token-bucket', window: '1d', overdraft: 50 })],
      40,
      1_000,
      110,
      { bucket: 0 },
    ],
    ['charges up to full without a reservation', [hour], 0, 1_000, 100, { hour: 0 }],
    ['charges without a reservation', [hour], 0, 30, 30, { hour: 70 }],
    ['changes nothing for the same cost', [hour], 30, 30, 0, { hour: 70 }],
    [
      'leaves tiers with a cost of their own to a named settlement',
      [requests, tier('tokens', 100)],
      50,
      20,
      -30,
      { tokens: 80, requests: 9 },
    ],
    [
      'settles a tier with a cost of its own by name',
      [requests, tier('tokens', 9_000, { cost: () => 4_000 })],
      1,
      { tokens: 1_500 },
      -2_500,
      { tokens: 7_500, requests: 9 },
    ],
    [
      'leaves a tier without a name in it alone',
      [tier('constructor', 10), tier('small', 5)],
      1,
      { small: 3 },
      2,
      { constructor: 9, small: 2 },
    ],
    [
      'refunds one tier and charges another',
      [tier('input', 100), tier('output', 100), requests],
      50,
      { input: 20, output: 70 },
      -10,
      { input: 80, output: 30, requests: 9 },
    ],
    [
      'charges a shadow tier only if the request fitted it',
      [tier('hour', 90), shadow(5), tier('wide', 50, { mode: 'shadow' })],
      10,
      20,
      20,
      { hour: 70, wide: 30, shadow: 5 },
    ],
  ];

onEveryStore((newStore: () => Store) => {
  const given = async (tiers: Tiers, cost: number) => {
    const limiter = limiterOf(newStore(), ...tiers);
    const caller = newCaller();
    const decision = await limiter.consume(caller, { cost });
    const remaining = async () => remainingIn(await limiter.peek(caller));
    return { limiter, caller, decision, remaining };
  };

  describe('refund', () => {
    it.each(refunds)('%s', async (_name, tiers, cost, units, expected, left) => {
      const { limiter, decision, remaining } = await given(tiers, cost);

      expect(await limiter.refund(decision, units as number)).toBe(expected);
      expect(await remaining()).toEqual(left);
    });

    it.each([[undefined], [1]])('happens once, also after %p units', async (units) => {
      const { limiter, decision, remaining } = await given([hour], 3);
      await limiter.refund(decision, units);
      const before = await remaining();

      expect(await limiter.refund(decision)).toBe(0);
      expect(await remaining()).toEqual(before);
    });

    it('happens once for two concurrent calls', async () => {
      const { limiter, decision } = await given([hour], 3);

      expect(await Promise.all([limiter.refund(decision), limiter.refund(decision)])).toEqual([3, 0]);
    });

    it('returns what a denied request was charged by charge: all, and nothing else', async () => {
      const { limiter, caller, remaining } = await given([tier('hour', 1), tier('tries', 5, { charge: 'all' })], 1);
      const denied = await limiter.consume(caller);

      expect(await limiter.refund(denied)).toBe(1);
      expect(await remaining()).toEqual({ tries: 4, hour: 0 });
    });

    it('returns a permit, which release then finds no more', async () => {
      const running = { name: 'running', key: tier('running', 1).key, algorithm: 'concurrency', limit: 2 } as const;
      const { limiter, decision, remaining } = await given([hour, running], 1);

      expect([await limiter.refund(decision), await limiter.release(decision)]).toEqual([2, 0]);
      expect(await remaining()).toEqual({ hour: 100, running: 2 });
    });

    it('returns nothing after a reset', async () => {
      const { limiter, caller, decision, remaining } = await given(
        [tier('log', 5, { algorithm: 'sliding-window-log' })],
        2,
      );
      await limiter.reset(caller);

      expect(await limiter.refund(decision)).toBe(0);
      expect(await remaining()).toEqual({ log: 5 });
    });
  });

  describe('settle', () => {
    it.each(settlements)('%s', async (_name, tiers, reserved, units, change, left) => {
      const { limiter, decision, remaining } = await given(tiers, reserved);

      expect(await limiter.settle(decision, units)).toBe(change);
      expect(await remaining()).toEqual(left);
    });

    it('happens once, like a refund', async () => {
      const { limiter, decision, remaining } = await given([hour], 40);
      await limiter.settle(decision, 25);

      await limiter.settle(decision, 50);

      expect(await limiter.refund(decision)).toBe(0);
      expect(await remaining()).toEqual({ hour: 75 });
    });

    it('leaves an overdraft to pay before the next request', async () => {
      const bucket = tier('bucket', 24, { algorithm: 'token-bucket', window: '1d', overdraft: 100 });
      const { limiter, caller, decision } = await given([bucket], 10);

      await limiter.settle(decision, 48);
      const { allowed, retryAfter } = await limiter.peek(caller);

      expect(allowed).toBe(false);
      expect(Math.ceil(retryAfter / 3_600_000)).toBe(25);
    });

    it('charges no tier of a denied request', async () => {
      const { limiter, caller, remaining } = await given([tier('hour', 10), tier('minute', 1, { window: '1m' })], 1);
      const denied = await limiter.consume(caller);

      await limiter.settle(denied, 5);

      expect(await remaining()).toEqual({ hour: 9, minute: 0 });
    });

    it('leaves a pause and a ban alone, which an admitted request was not charged to', async () => {
      const pause = { name: 'pause', key: tier('pause', 1).key, algorithm: 'pause' } as const;
      const ban = tier('ban', 1_000, { charge: 'denied' });
      const { limiter, caller, decision, remaining } = await given([tier('tokens', 100_000), pause, ban], 500);
      const free = await limiter.consume(caller, { cost: 0 });

      const changes = [await limiter.settle(decision, 60_000), await limiter.settle(free, { pause: 60_000, ban: 300 })];

      expect(changes).toEqual([59_500, 0]);
      expect(await remaining()).toEqual({ tokens: 40_000, pause: 1, ban: 1_000 });
    });

    it('gives back the strike of a denied request by the name of its ban', async () => {
      const { limiter, caller, remaining } = await given([tier('hour', 1), tier('ban', 3, { charge: 'denied' })], 1);
      const denied = await limiter.consume(caller);

      expect([remainingIn(denied), await limiter.settle(denied, { ban: 0 })]).toEqual([{ hour: 0, ban: 2 }, -1]);
      expect(await remaining()).toEqual({ hour: 0, ban: 3 });
    });

    it('rejects an unknown tier, and does not spend the decision', async () => {
      const { limiter, decision } = await given([tier('input', 100), tier('output', 100)], 50);

      await expect(limiter.settle(decision, { ouput: 5 })).rejects.toMatchObject({
        code: 'USAGE_INVALID',
        message: expect.stringMatching(/input, output.*"ouput"/),
      });
      expect(await limiter.refund(decision)).toBe(100);
    });

    it('rejects a number when every tier has a cost of its own, and does not spend the decision', async () => {
      const { limiter, decision, remaining } = await given([requests, tier('tokens', 100, { cost: () => 40 })], 1);

      await expect(limiter.settle(decision, 15)).rejects.toMatchObject({ code: 'USAGE_INVALID' });
      await limiter.settle(decision, { tokens: 15 });

      expect(await remaining()).toEqual({ requests: 9, tokens: 85 });
    });
  });
});
