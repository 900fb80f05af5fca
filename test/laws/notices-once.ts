import type { Decision } from '@sluice/core';
import type { Notices } from '@sluice/quotas';
import type { Mark } from '../../packages/core/src/model/notice.js';
import { newUser, type Law } from './law.js';
import { TESTED } from './quota.js';
import { take, World, type Ask } from './world.js';

/** The marks of a limit. */
function marksOf(limit: number, parts: readonly number[]): readonly Mark[] {
  return parts.map((mark) => ({ mark, units: Math.ceil(mark * limit) }));
}

/** What admitted requests have reached, which is what is due to be told. */
class Reached {
  readonly names = new Set<string>();
  /** The greatest count of each window: marks up to it are past, also those of another limit. */
  readonly #most = new Map<number, number>();

  add(count: number, endsAt: number, limit: number, parts: readonly number[]): void {
    const most = this.#most.get(endsAt) ?? 0;
    for (const { mark, units } of marksOf(limit, parts)) {
      if (units > most && units <= count) this.names.add(nameOf(mark, limit, endsAt));
    }
    this.#most.set(endsAt, Math.max(most, count));
  }
}

function nameOf(mark: number, limit: number, endsAt: number): string {
  return `${mark} of ${limit} until ${endsAt}`;
}

/**
 * A mark of a window is given once its count has reached it: by no request that another tier denies, and not again when refunds
 * have lowered the count, also of requests that another limit has admitted.
 */
export const noticesOnce: Law = {
  name: 'notices-once',
  says: 'gives the notice of a mark once in a window, when its count has reached it',
  isAbout: ({ options }) => 'notices' in options,
  async check(kind, place, history) {
    const world = new World(kind, place.newStore(), { user: newUser() });
    await world.block();
    const { parts } = (kind.options as { notices: Notices }).notices;
    const limits = kind.limits ?? [(kind.options as { limit: number }).limit];
    const reached = new Reached();
    const admitted: (readonly [Decision, Ask])[] = [];
    for (const step of history) {
      const decision = await take(world, place.clock, step);
      if (step.kind !== 'ask' || decision?.allowed !== true) continue;
      const limit = limits[step.limit % limits.length]!;
      const { remaining, resetAfter } = await world.look(step.limit);
      reached.add(limit - remaining, place.clock() + resetAfter, limit, parts);
      admitted.push([decision, step]);
      if (!step.waits) continue;
      const [[refunded, { cost }]] = admitted.splice(step.cost % admitted.length, 1) as [(typeof admitted)[number]];
      await world.limiter.refund(refunded, { [TESTED]: cost });
    }
    // A refund is answered behind the notices of its call.
    const given = world.notices.map(({ mark, limit, endsAt }) => nameOf(mark, limit, endsAt));

    expect(given.toSorted()).toEqual([...reached.names].toSorted());
  },
};
