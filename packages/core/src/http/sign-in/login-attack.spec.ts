import { createLimiter } from '../../limiter/limiter.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { fakeClock } from '../../testing/clock.js';
import type { HttpRequest } from '../request.js';
import { loginTiers } from './login-tiers.js';
import { signedIn } from './signed-in.js';

// The figures of docs/guide/login.md, measured while an attack lasts, with owners in it.

interface Attempt extends HttpRequest {
  readonly account: string;
  readonly device?: string;
}

const MINUTE_MS = 60_000;
const ATTEMPTS_PER_SECOND = 100;
const HOME = { ip: '198.51.100.7', account: 'ada' };
const LAPTOP = { ip: '198.51.100.9', account: 'ada', device: 'laptop of ada' };

/** Numbers from 0 to 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An account that is attacked from so many addresses, at random moments. */
function attack(addresses: number, seed: number) {
  const clock = fakeClock();
  const random = seeded(seed);
  const limiter = createLimiter<Attempt>({
    store: memoryStore({ clock }),
    tiers: loginTiers<Attempt>({ account: ({ account }) => account, device: ({ device }) => device }),
  });
  let elapsed = 0;
  let guesses = 0;
  const now = () => elapsed;
  const advance = (milliseconds: number) => {
    elapsed += milliseconds;
    clock.advance(milliseconds);
  };
  const attemptOf = (host: number): Attempt => ({ ip: `203.0.${host >> 8}.${host & 255}`, account: 'ada' });
  const guess = async () => {
    const { allowed } = await limiter.consume(attemptOf(Math.floor(random() * addresses)));
    if (allowed) guesses += 1;
  };
  /** Milliseconds to the next attempt of the attacker: 10 on average. */
  const gap = () => (-Math.log(1 - random()) * 1_000) / ATTEMPTS_PER_SECOND;
  /** Attacks in each moment. */
  const run = async (milliseconds: number) => {
    const end = now() + milliseconds;
    while (now() < end) {
      advance(Math.ceil(gap()));
      await guess();
    }
  };
  let openAt: number | undefined;
  const shortestWait = async () => {
    let wait = Infinity;
    for (let host = 0; host < addresses && wait > 0; host += 1) {
      wait = Math.min(wait, (await limiter.peek(attemptOf(host))).retryAfter);
    }
    return wait;
  };
  /** The same, without the moments in which no address fits: a denied attempt changes nothing. */
  const runQuickly = async (milliseconds: number) => {
    const end = now() + milliseconds;
    while (now() < end) {
      openAt ??= elapsed + (await shortestWait());
      if (openAt >= end) return advance(end - elapsed);
      advance(Math.max(0, openAt - elapsed) + Math.ceil(gap()));
      await guess();
      openAt = undefined;
    }
  };
  const signIn = async (attempt: Attempt): Promise<boolean> => {
    const decision = await limiter.consume(attempt);
    if (decision.allowed) await signedIn(decision);
    return decision.allowed;
  };
  const wrong = async (attempt: Attempt) => (await limiter.consume(attempt)).allowed;
  return { advance, guess, random, run, runQuickly, signIn, wrong, guesses: () => guesses };
}

describe('an attack on an account, 100 attempts a second from 10 addresses', () => {
  it('keeps no owner out on a known network or device, at any moment', async () => {
    const { random, run, signIn } = attack(10, 1);
    await signIn(HOME);
    await signIn(LAPTOP);

    const admitted: boolean[] = [];
    for (let minute = 0; minute < 3; minute += 1) {
      await run(random() * MINUTE_MS);
      admitted.push(await signIn(HOME), await signIn({ ...LAPTOP, ip: `192.0.2.${minute}` }));
    }

    expect(admitted).toEqual(Array(6).fill(true));
  });

  it('keeps no owner out on a new network after two mistakes', async () => {
    const { random, run, signIn, wrong } = attack(10, 2);

    const admitted: boolean[] = [];
    for (let network = 0; network < 3; network += 1) {
      await run(random() * MINUTE_MS);
      const owner = { ip: `192.0.2.${network}`, account: 'ada' };
      admitted.push(await wrong(owner), await wrong(owner), await signIn(owner));
    }

    expect(admitted).toEqual(Array(9).fill(true));
  });
});

describe('a day of attack on an account whose owner signs in each minute', () => {
  const day = async (addresses: number, attackFor: (made: ReturnType<typeof attack>) => Promise<void>) => {
    const made = attack(addresses, 3);
    await made.signIn(HOME);
    let admitted = 0;
    for (let minute = 0; minute < 1_440; minute += 1) {
      await attackFor(made);
      if (await made.signIn(HOME)) admitted += 1;
    }
    expect(admitted).toBe(1_440);
    return made.guesses();
  };

  it('has at most 166 guesses from 10 addresses, and each sign-in succeeds', async () => {
    const guesses = await day(10, async ({ runQuickly }) => runQuickly(MINUTE_MS));

    // Three first tries of each address, one after the other: six at the same time. 106 by the lane of the others.
    expect(guesses).toBeLessThanOrEqual(166);
    expect(guesses).toBeGreaterThanOrEqual(134);
  });

  it('has at most 406 guesses from 300 addresses, and each sign-in succeeds', async () => {
    // A denied attempt changes nothing, so these take what a hundred a second would.
    const guesses = await day(300, async ({ advance, guess }) => {
      advance(MINUTE_MS);
      for (let attempt = 0; attempt < 5; attempt += 1) await guess();
    });

    expect(guesses).toBeLessThanOrEqual(406);
    expect(guesses).toBeGreaterThanOrEqual(380);
  });
});

describe('an attack on an account from 1 000 addresses', () => {
  it('denies an owner on a new network, and none on a known one', async () => {
    const { run, signIn } = attack(1_000, 4);
    await signIn(HOME);

    await run(MINUTE_MS);

    expect([await signIn(HOME), await signIn({ ip: '192.0.2.1', account: 'ada' })]).toEqual([true, false]);
  });
});
