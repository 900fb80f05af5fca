import * as fc from 'fast-check';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { digestOf } from '../keys/store-keys.js';
import { createLimiter } from '../limiter.js';
import { isInStage } from './stage.js';
import type { Tier } from './tier.js';

type Subject = { readonly user: string };

const tier = { name: 'user', key: ({ user }: Subject) => user, limit: 1, window: '1m' } as const;
const users = Array.from({ length: 400 }, (_, index) => `user-${index}`);

function limiterOf(options: Partial<Tier<Subject>>) {
  return createLimiter({ store: memoryStore(), tiers: [{ ...tier, ...options } as Tier<Subject>] });
}

/** The users whom a second request shows to be limited. */
async function limitedUsers(options: Partial<Tier<Subject>>): Promise<ReadonlySet<string>> {
  const limiter = limiterOf(options);
  const denied = new Set<string>();
  for (const user of users) {
    await limiter.consume({ user });
    if (!(await limiter.consume({ user })).allowed) denied.add(user);
  }
  return denied;
}

describe('enforce', () => {
  it('has every identity of a narrower part in a wider one', () => {
    const percent = fc.double({ min: 0, max: 100, noNaN: true }).map((each) => Math.round((each / 100) * 64 ** 4));

    const { counterexample } = fc.check(
      fc.property(fc.string({ minLength: 1 }), percent, percent, (text, one, other) => {
        const digest = digestOf(`3:key${text.length}:${text}`);
        return !isInStage(Math.min(one, other), digest) || isInStage(Math.max(one, other), digest);
      }),
    );

    expect(counterexample).toBeNull();
  });

  it('limits about its part of all identities, and the same ones in each limiter', async () => {
    const [tenth, half, again] = await Promise.all(
      (['10%', '50%', '50%'] as const).map((enforce) => limitedUsers({ enforce })),
    );

    // Five standard deviations of 400 draws.
    expect(Math.abs(tenth!.size - 40)).toBeLessThan(30);
    expect(Math.abs(half!.size - 200)).toBeLessThan(50);
    expect(again).toEqual(half);
    expect([...tenth!].filter((user) => !half!.has(user))).toEqual([]);
  });

  it.each([
    ['0%', 0],
    ['0.01%', 0],
    ['100%', 400],
  ] as const)('limits %s of 400 identities: %i', async (enforce, count) => {
    expect((await limitedUsers({ enforce })).size).toBe(count);
  });

  it('puts the others in shadow, also at a limit of 0 and in a partition', async () => {
    const never = limiterOf({ enforce: '0%', limit: () => 0 });
    const options = { partition: ({ user }: Subject) => user };
    const partitioned = createLimiter({ ...options, store: memoryStore(), tiers: [{ ...tier, enforce: '0%' }] });

    const outcomes = [await never.consume({ user: 'ada' }), await partitioned.consume({ user: 'ada' })];

    expect(outcomes.map(({ allowed, outcomes: [outcome] }) => [allowed, outcome!.shadow])).toEqual([
      [true, true],
      [true, true],
    ]);
  });
});

describe('mode off', () => {
  it('applies to no request, calls no function of the tier, and accepts its name in a settlement', async () => {
    const limiter = createLimiter<Subject>({
      tiers: [
        { ...tier, limit: 5 },
        {
          name: 'off',
          mode: 'off',
          limit: 1,
          window: '1m',
          key: () => {
            throw new Error('called');
          },
        },
      ],
    });

    const decision = await limiter.consume({ user: 'ada' });

    expect(decision.outcomes.map(({ tier: name }) => name)).toEqual(['user']);
    expect(await limiter.settle(decision, { user: 2, off: 7 })).toBe(1);
  });

  it('keeps the counts of a tier that is turned on again', async () => {
    const limiter = limiterOf({});
    await limiter.consume({ user: 'ada' });

    limiter.prepare([{ ...tier, mode: 'off' }]).commit();
    const whileOff = await limiter.consume({ user: 'ada' });
    limiter.prepare([tier]).commit();

    expect(whileOff).toMatchObject({ allowed: true, outcomes: [] });
    expect((await limiter.consume({ user: 'ada' })).allowed).toBe(false);
  });
});
