import type { PolicyOptions } from '../../packages/core/src/algorithms/named/policy-options.js';
import { createLimiter } from '../../packages/core/src/limiter/limiter.js';
import type { Tier } from '../../packages/core/src/limiter/tiers/tier.js';
import type { Decision } from '../../packages/core/src/model/decision.js';
import { memoryStore } from '../../packages/core/src/stores/memory/memory-store.js';
import type { LimiterDecision } from '../../packages/http/src/headers/reported-tiers.js';
import { fakeClock } from '../../packages/testing/src/clock.js';

type TierOptions = PolicyOptions & Partial<Tier<unknown>>;

/** A tier on a fake clock, and its last decision about some costs. */
export function tierOnClock(options: TierOptions, now?: number) {
  const clock = fakeClock(now);
  const tier = { name: 'tier', key: () => 'ada', ...options } as unknown as Tier<unknown>;
  const limiter = createLimiter({ store: memoryStore({ clock }), tiers: [tier] });
  const decide = (...costs: number[]): LimiterDecision => {
    const decisions = costs.map((cost) => limiter.consume({}, { cost }) as Decision);
    return { limiter, decision: decisions.at(-1)! };
  };
  return { clock, decide };
}

/** The last decision of a tier about some costs. */
export function decided(options: TierOptions, ...costs: number[]): LimiterDecision {
  return tierOnClock(options).decide(...costs);
}
