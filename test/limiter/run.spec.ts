import { CoolDown, createLimiter, run, type Store, type Tier } from '@sluice/core';
import { newCaller, onEveryStore, type Caller } from './every-store.js';

/** Each tier has a slot of its own on a Cluster. */
const keyOf =
  (kind: string) =>
  ({ user }: Caller) => ({ kind, parts: [user] });
const tiers: readonly Tier<Caller>[] = [
  { name: 'pause', key: keyOf('pause'), algorithm: 'pause' },
  { name: 'running', key: keyOf('running'), algorithm: 'concurrency', limit: 2, wait: '30s' },
  { name: 'minute', key: keyOf('minute'), algorithm: 'token-bucket', limit: 1_000, window: '1m' },
];

const rate: Tier<Caller> = {
  name: 'rate',
  key: keyOf('rate'),
  algorithm: 'token-bucket',
  limit: 200,
  window: '1s',
  burst: 10,
};
const permits: Tier<Caller> = { name: 'permits', key: keyOf('permits'), algorithm: 'concurrency', limit: 5 };

onEveryStore((newStore: () => Store) => {
  describe('run', () => {
    it('lets two pieces of work run at a time, of many, and releases them all', async () => {
      const limiter = createLimiter<Caller>({ store: newStore(), tiers });
      const caller = newCaller();
      let [running, most] = [0, 0];
      let meet: () => void;
      const twoRun = new Promise<void>((resolve) => (meet = resolve));

      const ran = await Promise.all(
        Array.from({ length: 20 }, async () =>
          run(
            limiter,
            caller,
            async () => {
              running += 1;
              most = Math.max(most, running);
              if (running === 2) meet();
              await twoRun;
              running -= 1;
            },
            { wait: '30s' },
          ),
        ),
      );

      expect(ran.every(({ admitted }) => admitted)).toBe(true);
      expect(most).toBe(2);
      const [inspection] = await limiter.inspect(caller, { tiers: ['running'] });
      expect(inspection!.outcome.remaining).toBe(2);
    });

    it.each<[string, readonly Tier<Caller>[]]>([
      ['a rate and permits', [rate, permits]],
      ['a rate', [rate]],
      ['permits', [permits]],
    ])('begins in the order of arrival, with %s', async (_tiers, chosen) => {
      const limiter = createLimiter<Caller>({ store: newStore(), tiers: chosen });
      const caller = newCaller();
      const begun: number[] = [];

      const ran = await Promise.all(
        Array.from({ length: 60 }, async (_each, number) =>
          run(
            limiter,
            caller,
            async () => {
              begun.push(number);
              await new Promise((resolve) => setTimeout(resolve, 2));
            },
            { wait: '30s' },
          ),
        ),
      );

      expect(ran.every(({ admitted }) => admitted)).toBe(true);
      expect(begun).toEqual(Array.from({ length: 60 }, (_each, number) => number));
    });

    it('resolves with the value of its work, although the store was closed meanwhile', async () => {
      const store = newStore();
      const limiter = createLimiter<Caller>({ store, tiers });

      const ran = await run(
        limiter,
        newCaller(),
        async () => {
          await store.close();
          return 'paid';
        },
        { cost: 2, settle: () => 1 },
      );

      expect(ran).toMatchObject({ admitted: true, value: 'paid' });
    });

    it('pauses every limiter on the store when an upstream asks for it', async () => {
      const store = newStore();
      const [one, other] = [createLimiter<Caller>({ store, tiers }), createLimiter<Caller>({ store, tiers })];
      const caller = newCaller();

      await expect(
        run(one, caller, () => {
          throw new CoolDown('1m');
        }),
      ).rejects.toThrow(CoolDown);
      const denied = await other.consume(caller);
      await other.reset(caller);

      expect(denied).toMatchObject({ allowed: false, deniedBy: ['pause'] });
      expect((await one.peek(caller)).allowed).toBe(true);
    });
  });
});
