import { createLimiter } from '../limiter/limiter.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { fakeClock } from '../testing/clock.js';
import { loginTiers } from './login-tiers.js';
import type { HttpRequest } from './request.js';

interface SignIn extends HttpRequest {
  readonly account: unknown;
  readonly device?: string;
}

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

function scene() {
  const clock = fakeClock();
  const limiter = createLimiter<SignIn>({
    store: memoryStore({ clock }),
    tiers: loginTiers<SignIn>({ account: ({ account }) => account, device: ({ device }) => device }),
  });
  const isAllowed = async (signIn: SignIn) => (await limiter.consume(signIn)).allowed;
  /** A day of guesses, as often as the limit allows. @param addresses of the attacker */
  const attack = async (addresses: number): Promise<number> => {
    let guesses = 0;
    let next = 0;
    for (let time = 0; time < DAY_MS;) {
      const ip = `203.0.${next >> 8}.${next & 255}`;
      next = (next + 1) % addresses;
      const { allowed, retryAfter } = await limiter.consume({ ip, account: 'ada' });
      if (allowed) guesses += 1;
      const pause = allowed ? SECOND_MS : Math.max(SECOND_MS, retryAfter);
      clock.advance(pause);
      time += pause;
    }
    return guesses;
  };
  return { clock, limiter, isAllowed, attack };
}

describe('loginTiers', () => {
  it('allow one address 33 guesses of an account in a day', async () => {
    const { attack } = scene();

    expect(await attack(1)).toBe(33);
  });

  it('allow 298 guesses of an account in a day from any number of addresses', async () => {
    const { attack } = scene();

    expect(await attack(10_000)).toBe(298);
  });

  it('keep the owner out for five minutes at most while the account is attacked', async () => {
    const { clock, isAllowed, attack } = scene();
    await attack(10_000);

    const owner = { ip: '198.51.100.7', account: 'ada' };
    let waited = 0;
    while (!(await isAllowed(owner))) {
      clock.advance(SECOND_MS);
      waited += SECOND_MS;
    }

    expect(waited).toBeLessThanOrEqual(300_000);
  });

  it('keep the owner out for 150 s on average while the account is attacked in every second', async () => {
    const { clock, limiter, isAllowed, attack } = scene();
    await attack(10_000);

    const waits: number[] = [];
    for (let second = 0; second < 3_000; second += 1) {
      await isAllowed({ ip: `203.0.${second >> 8}.${second & 255}`, account: 'ada' });
      waits.push((await limiter.peek({ ip: '198.51.100.7', account: 'ada' })).retryAfter);
      clock.advance(SECOND_MS);
    }

    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    expect(Math.round(mean / SECOND_MS)).toBeGreaterThanOrEqual(149);
    expect(Math.round(mean / SECOND_MS)).toBeLessThanOrEqual(152);
  });

  it('let the owner in at once on a known device', async () => {
    const { isAllowed, attack } = scene();
    await attack(10_000);

    expect(await isAllowed({ ip: '198.51.100.7', account: 'ada', device: 'laptop of ada' })).toBe(true);
  });

  it.each<[string, unknown[]]>([
    ['arrays', [['ada'], [['ada']], ['ada', 'eve'], []]],
    [
      'arrays of long texts',
      [
        ['ada', 'x'.repeat(600)],
        ['ada', 'y'.repeat(600)],
      ],
    ],
    ['long texts', ['x'.repeat(513), 'y'.repeat(600)]],
    ['objects', [{}, Object.create(null), { toString: 1 }, [{ valueOf: 1, toString: 1 }]]],
    ['other values', [true, 1.5, ['ada'], {}]],
  ])('count %s as one account, from any number of addresses', async (_kind, accounts) => {
    const { isAllowed } = scene();

    const guesses: boolean[] = [];
    for (let host = 0; host < 30; host += 1) {
      guesses.push(await isAllowed({ ip: `203.0.113.${host}`, account: accounts[host % accounts.length] }));
    }

    expect(guesses.filter(Boolean)).toHaveLength(11);
  });

  it('count a request without an account by its address', async () => {
    const { isAllowed } = scene();

    const guesses: boolean[] = [];
    for (let host = 0; host < 30; host += 1) {
      guesses.push(await isAllowed({ ip: `203.0.113.${host}`, account: [undefined, null, false, ''][host % 4] }));
    }

    expect(guesses.filter(Boolean)).toHaveLength(30);
  });

  it('give a device that is no text no budgets of its own', async () => {
    const { isAllowed } = scene();

    const guesses: boolean[] = [];
    for (let host = 0; host < 30; host += 1) {
      const device = [`device ${host}`] as unknown as string;
      guesses.push(await isAllowed({ ip: `203.0.113.${host}`, account: 'ada', device }));
    }

    expect(guesses.filter(Boolean)).toHaveLength(11);
  });

  it('forget the failures of an account when a sign-in succeeds', async () => {
    const { limiter, isAllowed } = scene();
    const signIn = { ip: '198.51.100.7', account: 'ada' };
    for (let failure = 0; failure < 5; failure += 1) await limiter.consume(signIn);

    await limiter.refund(await limiter.consume(signIn));
    const after = await Promise.all(Array.from({ length: 7 }, async () => isAllowed(signIn)));

    expect(after).toEqual([true, true, true, true, true, true, false]);
  });

  it('admit at most one more than the limit of 100 guesses at the same time', async () => {
    const { isAllowed } = scene();

    const guesses = await Promise.all(
      Array.from({ length: 100 }, async () => isAllowed({ ip: '203.0.113.7', account: 'ada' })),
    );

    expect(guesses.filter(Boolean)).toHaveLength(6);
  });

  it('allow an address 100 accounts in a burst', async () => {
    const { isAllowed } = scene();

    const guesses = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => isAllowed({ ip: '203.0.113.7', account: `account ${index}` })),
    );

    expect(guesses.filter(Boolean)).toHaveLength(100);
  });

  it.each<[unknown, string]>([
    [undefined, 'loginTiers: options must be an object, got undefined'],
    [{}, 'loginTiers: account is missing: it must be a function of the request'],
    [{ account: 'ada' }, 'loginTiers: account must be a function, got "ada"'],
    [{ account: () => 'ada', device: 5 }, 'loginTiers: device must be a function, got 5'],
    [{ account: () => 'ada', adress: 5 }, 'loginTiers: adress is not an option here'],
  ])('throw for %p', (options, message) => {
    expect(() => loginTiers(options as never)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }),
    );
  });
});
