import { newUser, type Law } from './law.js';
import { take, World } from './world.js';

/** A remembered denial may say two milliseconds too many: it is rounded, and the clocks of two machines drift. */
const ROUNDING = 2;
/** Longer than each window and period of a kind. */
const LONG_MS = 86_400_000;

/**
 * After `retryAfter` the same cost is admitted, wherever the answer came from, and shortly before it is not. Where only a credit
 * helps, no time does.
 */
export const retryAfterSuffices: Law = {
  name: 'retry-after-suffices',
  says: 'admits a denied cost when its `retryAfter` is over, and not before',
  // Before a server, denials are remembered.
  usually: ['memory', 'redis'],
  async check(kind, place, history) {
    const world = new World(kind, place.newStore(), { user: newUser() });
    for (const step of history) {
      if (step.kind !== 'ask') {
        await take(world, place.clock, step);
        continue;
      }
      const { reason, retryAfter } = await world.ask(step.cost, step.limit);
      if (reason !== 'denied' || !step.waits) continue;
      if (retryAfter === Infinity) {
        place.clock.advance(LONG_MS);
        expect(await world.ask(step.cost, step.limit)).toMatchObject({ allowed: false });
        continue;
      }
      if (retryAfter > ROUNDING) {
        place.clock.advance(retryAfter - ROUNDING);
        expect(await world.ask(step.cost, step.limit)).toMatchObject({ allowed: false });
        place.clock.advance(ROUNDING);
      } else place.clock.advance(retryAfter);
      expect(await world.ask(step.cost, step.limit)).toMatchObject({ allowed: true });
    }
  },
};
