import { createLimiter, loginTiers, memoryStore, signedIn, type HttpRequest } from '../../packages/http/src/index.js';
import { fakeClock } from '../../packages/testing/src/index.js';

interface Attempt extends HttpRequest {
  readonly account: string;
  readonly device?: string;
}

export const MINUTE_MS = 60_000;
const ATTEMPTS_PER_SECOND = 100;
export const HOME = { ip: '198.51.100.7', account: 'ada' };
export const LAPTOP = { ip: '198.51.100.9', account: 'ada', device: 'laptop of ada' };

/** Numbers from 0 to 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An account that is attacked from so many addresses, at random moments. */
export function attack(addresses: number, seed: number) {
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
