import { createLimiter } from '../limiter.js';
import type { Decision } from '../../model/decision.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { llmTiers, type LlmTiersOptions } from './llm-tiers.js';
import type { Tiers } from './plans.js';

interface Prompt {
  readonly user: string;
  readonly tokens: number;
}

const options: LlmTiersOptions<Prompt> = {
  key: ({ user }) => user,
  requestsPerMinute: 60,
  tokensPerMinute: 1_000,
  estimate: ({ tokens }) => tokens,
};
// The clock stands still unless a test moves it: tokens come back with time.
const limiterOf = (tiers: Tiers<Prompt>, clock = fakeClock()) =>
  createLimiter({ store: memoryStore({ clock }), tiers });
const remainingIn = ({ outcomes }: Decision) =>
  Object.fromEntries(outcomes.map(({ tier, remaining }) => [tier, remaining]));

describe('llmTiers', () => {
  it('are requests and tokens of a minute', async () => {
    const limiter = limiterOf(llmTiers(options));

    const decision = await limiter.consume({ user: 'ada', tokens: 300 });

    expect(remainingIn(decision)).toEqual({ requests: 59, tokens: 700 });
    expect(limiter.policies(decision).map(({ unit }) => unit)).toEqual(['tokens', undefined]);
  });

  it('count tokens and money of a day where they have a limit', async () => {
    const limiter = limiterOf(llmTiers({ ...options, tokensPerDay: 3e9, microDollarsPerDay: 5_000_000 }));
    const subject = { user: 'ada', tokens: 300 };

    const decision = await limiter.consume(subject);
    await limiter.settle(decision, { tokens: 450, day: 450, money: 12_000 });
    const after = await limiter.consume({ user: 'ada', tokens: 0 });

    expect(remainingIn(decision)).toEqual({ requests: 59, tokens: 700, day: 3e9 - 300, money: 4_999_999 });
    expect(remainingIn(after)).toMatchObject({ requests: 58, day: 3e9 - 450, money: 4_987_999 });
  });

  it('deny a request beside as many as may run, until one is released', async () => {
    const limiter = limiterOf(llmTiers({ ...options, parallel: 2 }));
    const subject = { user: 'ada', tokens: 1 };
    const [running] = [await limiter.consume(subject), await limiter.consume(subject)];

    const denied = await limiter.consume(subject);
    await limiter.settle(running, { tokens: 5 });
    await limiter.release(running);

    expect(denied).toMatchObject({ allowed: false, deniedBy: ['parallel'] });
    expect(remainingIn(await limiter.consume(subject))).toEqual({ requests: 57, tokens: 993, parallel: 0 });
  });

  it('deny when the money of a day is used up', async () => {
    const limiter = limiterOf(llmTiers({ ...options, microDollarsPerDay: 500 }));
    await limiter.settle(await limiter.consume({ user: 'ada', tokens: 1 }), { money: 800 });

    expect(await limiter.consume({ user: 'ada', tokens: 1 })).toMatchObject({ allowed: false, deniedBy: ['money'] });
  });

  it('admit an estimate above the tokens of a minute, and count all that was used', async () => {
    const clock = fakeClock();
    const limiter = limiterOf(llmTiers(options), clock);

    const decision = await limiter.consume({ user: 'ada', tokens: 4_096 });
    await limiter.settle(decision, { tokens: 3_000 });
    clock.advance('119s');
    const early = await limiter.consume({ user: 'ada', tokens: 1 });
    clock.advance('1500ms');

    expect(decision.allowed).toBe(true);
    expect(early).toMatchObject({ allowed: false, deniedBy: ['tokens'] });
    expect((await limiter.consume({ user: 'ada', tokens: 1 })).allowed).toBe(true);
  });

  it('take limits of plans, and share a count between them', async () => {
    const free = llmTiers(options);
    const paid = llmTiers({ ...options, tokensPerMinute: 5_000, tokensPerDay: () => null });
    const limiter = limiterOf(({ tokens }) => (tokens > 1_000 ? paid : free));
    // 36 seconds of the refill, which are 3 000 tokens of the other plan.
    await limiter.consume({ user: 'ada', tokens: 600 });

    expect(remainingIn(await limiter.consume({ user: 'ada', tokens: 1_500 }))).toEqual({ requests: 58, tokens: 500 });
  });
});
