import type { Mark } from '../../packages/core/src/model/notice.js';
import { newUser, type Law } from './law.js';
import { TESTED } from './quota.js';
import { take, World } from './world.js';
import '@sluice/core/quotas';

/** A mark of a window is given when the count has reached it, and not again when refunds have lowered the count. */
export const noticesOnce: Law = {
  name: 'notices-once',
  says: 'gives the notice of a mark once in a window, when its count has reached it',
  isAbout: ({ options }) => 'notices' in options,
  async check(kind, place, history) {
    const world = new World(kind, place.newStore(), { user: newUser() });
    await world.block();
    const { limit, notices } = kind.options as { limit: number; notices: readonly number[] };
    const reached = new Set<string>();
    for (const step of history) {
      const decision = await take(world, place.clock, step);
      if (step.kind !== 'ask' || decision?.allowed !== true) continue;
      const { remaining, resetAfter } = await world.look();
      const marks = notices.map((mark): Mark => ({ mark, units: Math.ceil(mark * limit) }));
      for (const { mark, units } of marks) {
        if (limit - remaining >= units) reached.add(`${mark} until ${place.clock() + resetAfter}`);
      }
      if (step.waits) await world.limiter.refund(decision, { [TESTED]: step.cost });
    }
    // A refund is answered behind the notices of its call.
    const given = world.notices.map(({ mark, endsAt }) => `${mark} until ${endsAt}`);

    expect(given.toSorted()).toEqual([...new Set(given)].toSorted());
    for (const each of reached) expect(given).toContain(each);
    if (!history.some((step) => step.kind === 'ask' && step.blocked)) expect(new Set(given)).toEqual(reached);
  },
};
