import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { ADA, scene, stranger, type Attempt } from '../../../../test/support/sign-in-scene.js';
import { needsChallenge, signedIn } from './signed-in.js';

describe('signedIn', () => {
  it('gives back what the request was charged, once', async () => {
    const { limiter } = scene();
    const decision = await limiter.consume(ADA);

    await signedIn(decision);
    await signedIn(decision);

    const { outcomes } = await limiter.peek(ADA);
    const left = Object.fromEntries(outcomes.map(({ tier, remaining }) => [tier, remaining]));
    expect(left).toMatchObject({ 'login-known': 20, 'login-address': 100, 'login-seen': 999_999 });
  });

  it('does nothing for a request that was not counted', async () => {
    expect(await signedIn(undefined)).toBeUndefined();
  });

  it('rejects a denied decision, and one of other tiers', async () => {
    const { guesses, limiter } = scene();
    await guesses(9, stranger(1));
    const other = createLimiter({ key: () => 'ada', limit: 1, window: '1m' });

    for (const decision of [await limiter.consume(stranger(1)), await other.consume({})]) {
      await expect(signedIn(decision)).rejects.toMatchObject({ name: 'UsageError', code: 'USAGE_INVALID' });
    }
  });
});

describe('a challenge', () => {
  it('is needed where guesses from elsewhere alone deny', async () => {
    const { exhaust, guesses, limiter } = scene();
    const open = await limiter.consume(ADA);
    await guesses(9, stranger(1));
    const hammering = await limiter.consume(stranger(1));
    await exhaust();
    const attacked = await limiter.consume(stranger(99));

    expect([open, hammering, attacked, undefined].map(needsChallenge)).toEqual([false, false, true, false]);
  });

  it('is not solved by the answer of a verifier that says so in a member', async () => {
    let answer: unknown = false;
    const { exhaust, limiter } = scene({ challenged: async () => answer as boolean });
    await exhaust();
    answer = { success: false };

    await expect(Promise.resolve(limiter.consume(stranger(99)))).rejects.toMatchObject({
      code: 'FUNCTION_FAILED',
      message: 'loginTiers: the function challenged must return true or false, got an object',
    });
  });

  it('that is solved admits 80 guesses at once, and `challenged` is called there alone', async () => {
    const seen: unknown[] = [];
    const challenged = async ({ captcha }: Attempt) => {
      seen.push(captcha);
      return captcha === 'solved';
    };
    const { exhaust, guesses, succeed } = scene({ challenged });
    await succeed(ADA);
    const before = seen.length;
    await exhaust();
    seen.length = 0;

    expect(before).toBe(0);
    expect(await guesses(1, stranger(99))).toBe(0);
    expect(await succeed({ ...stranger(99), captcha: 'solved' })).toBe(true);
    expect(seen).toEqual([undefined, 'solved']);
    let admitted = 0;
    for (let host = 100; host < 150; host += 1) admitted += await guesses(6, { ...stranger(host), captcha: 'solved' });
    expect(admitted).toBe(80);
  });
});
