import { createLimiter } from '../../packages/core/src/limiter/limiter.js';
import type { HttpRequest } from '../../packages/http/src/request/request.js';
import { loginTiers, type LoginTiersOptions } from '../../packages/http/src/sign-in/login-tiers.js';
import { signedIn } from '../../packages/http/src/sign-in/signed-in.js';
import { memoryStore } from '../../packages/core/src/stores/memory/memory-store.js';
import { fakeClock } from '../../packages/testing/src/clock.js';

export interface Attempt extends HttpRequest {
  readonly account: unknown;
  readonly device?: string;
  readonly captcha?: string;
}

export const HOME = '198.51.100.7';
export const ADA = { ip: HOME, account: 'ada' };
export const addressOf = (host: number) => `203.0.${host >> 8}.${host & 255}`;
export const stranger = (host: number) => ({ ip: addressOf(host), account: 'ada' });

/** A limiter with `loginTiers`, and what owners and strangers do. */
export function scene(options: Partial<LoginTiersOptions<Attempt>> = {}) {
  const clock = fakeClock();
  const store = memoryStore({ clock });
  const account = ({ account: text }: Attempt) => text;
  const limiter = createLimiter<Attempt>({ store, tiers: loginTiers<Attempt>({ account, ...options }) });
  const guess = async (attempt: Attempt) => (await limiter.consume(attempt)).allowed;
  /** How many of so many guesses are admitted. */
  const guesses = async (times: number, attempt: Attempt) => {
    let admitted = 0;
    for (let time = 0; time < times; time += 1) if (await guess(attempt)) admitted += 1;
    return admitted;
  };
  const succeed = async (attempt: Attempt) => {
    const decision = await limiter.consume(attempt);
    if (decision.allowed) await signedIn(decision);
    return decision.allowed;
  };
  /** Uses up both lanes of the account. */
  const exhaust = async () => {
    for (let host = 0; host < 40; host += 1) await guesses(6, stranger(host));
  };
  return { clock, store, limiter, guess, guesses, succeed, exhaust };
}
