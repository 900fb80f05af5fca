import type { Decision } from '@sluice/core';
import { HOUR_MS } from '../../packages/core/src/model/usage.js';
import { newUser, type Law } from './law.js';
import { TESTED } from './quota.js';
import { take, World, type Ask } from './world.js';

/** Units that customers pay for are charged once, and come back once: to the month or to the credits that have paid them. */
export const conservation: Law = {
  name: 'conservation',
  says: 'has charged to the included units and the credits what it has admitted, less what came back',
  isAbout: ({ credits }) => credits !== undefined,
  async check(kind, place, history) {
    const world = new World(kind, place.newStore(), { user: newUser() });
    await world.block();
    let kept = 0;
    // In a later window the included units begin again, so that time stands still.
    for (const step of history) {
      if (step.kind !== 'ask') continue;
      const decision = await world.ask(step.cost, 0, step.blocked);
      if (!decision.allowed) continue;
      kept += step.cost + (await correct(world, decision, step));
      expect(await world.spent()).toBe(kept);
    }
    expect(await world.spent()).toBe(kept);
  },
};

/** Usage is what was charged, less what came back, also when time has given back the units. */
export const usageIsCharged: Law = {
  name: 'usage-is-charged',
  says: 'counts as usage of an hour what it has charged in it, less what came back at any time',
  isAbout: ({ options }) => options.usage !== undefined,
  async check(kind, place, history) {
    const world = new World(kind, place.newStore(), { user: newUser() });
    await world.block();
    const used = new Map<number, number>();
    const count = (hour: number, units: number) => used.set(hour, (used.get(hour) ?? 0) + units);
    for (const step of history) {
      const decision = await take(world, place.clock, step);
      if (step.kind !== 'ask' || decision?.allowed !== true) continue;
      const hour = Math.floor(place.clock() / HOUR_MS);
      count(hour, step.cost);
      if (step.waits) {
        // Its hour and its window may end meanwhile.
        place.clock.advance(step.cost * 900_000);
        const units = Math.floor(step.cost / 2);
        await world.limiter.settle(decision, { [TESTED]: units });
        count(hour, units - step.cost);
      }
    }
    for (const [hour, units] of used) if (units === 0) used.delete(hour);
    expect(await world.usage()).toEqual(used);
  },
};

/** Gives some requests back, and settles others. Returns the units charged, less those that came back. */
async function correct({ limiter }: World, decision: Decision, { cost, waits }: Ask): Promise<number> {
  if (!waits) return 0;
  if (cost % 3 === 0) return -(await limiter.refund(decision, { [TESTED]: cost }));
  return limiter.settle(decision, { [TESTED]: cost % 3 === 1 ? cost + 2 : Math.floor(cost / 2) });
}
