import { createLimiter, type Limiter, type Outcome, type Store, type Tier } from '@sluice/core';
import type { Caller, Kind } from './kinds.js';
import { newUser, type Law } from './law.js';
import { fund, isBalanceOptions, TESTED } from './quota.js';

/** The tier under test stands beside one that counts, as a pause or a ban stands beside tokens. */
const COUNTER = 'counter';

/** `settle` counts the units of a request in the tiers that the request charged, once. Others stay as they are. */
export const settleIsExact: Law = {
  name: 'settle-is-exact',
  says: 'is settled to the units of a request if the request has charged it, once, and else not at all',
  async check(kind, place, history) {
    const user = newUser();
    const limiter = limiterOf(kind, place.newStore());
    if (isBalance(kind)) await fund(limiter, kind, callerOf(kind, user, 0));
    for (const step of history) {
      if (step.kind === 'wait') place.clock.advance(step.milliseconds);
      if (step.kind !== 'ask') continue;
      const caller = callerOf(kind, user, step.limit);
      const before = await look(limiter, caller);
      const units = Math.min(step.cost, isSpent(kind) ? before.tested.remaining : step.cost);
      const decision = await limiter.consume(caller, { cost: 1 });
      if (!decision.allowed) continue;
      await limiter.settle(decision, units);
      const after = await look(limiter, caller);
      expect(after.counter.remaining).toBe(before.counter.remaining - units);
      if (isSpent(kind)) expect(after.tested.remaining).toBe(before.tested.remaining - chargedBy(kind, units));
      else expect(after.tested).toEqual(before.tested);
      // A second one finds nothing.
      expect(await limiter.settle(decision, units + 1)).toBe(0);
      expect(await limiter.refund(decision)).toBe(0);
      expect(await look(limiter, caller)).toEqual(after);
      await limiter.release(decision);
    }
  },
};

function isBalance({ options }: Kind): boolean {
  return isBalanceOptions(options);
}

/** True for a tier that an admitted request charges. */
function isSpent({ options }: Kind): boolean {
  return options.charge !== 'denied' && options.algorithm !== 'pause';
}

/** What a tier counts of a request that is settled to `units`. */
function chargedBy({ options }: Kind, units: number): number {
  // A permit is held until it is released.
  return options.algorithm === 'concurrency' ? 1 : units;
}

function limiterOf({ options }: Kind, store: Store): Limiter<Caller> {
  const key = ({ user }: Caller) => user;
  const counter = { name: COUNTER, key, algorithm: 'fixed-window', limit: 1_000_000, window: '30d' } as Tier<Caller>;
  return createLimiter<Caller>({ store, tiers: [counter, { name: TESTED, key, ...options } as Tier<Caller>] });
}

function callerOf({ limits = [0] }: Kind, user: string, limit: number): Caller {
  return { user, cost: 1, limit: limits[limit % limits.length]!, blocked: false };
}

async function look(limiter: Limiter<Caller>, caller: Caller): Promise<{ tested: Outcome; counter: Outcome }> {
  const { outcomes } = await limiter.peek(caller);
  const of = (name: string) => outcomes.find(({ tier }) => tier === name)!;
  return { tested: of(TESTED), counter: of(COUNTER) };
}
