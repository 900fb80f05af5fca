import type { Kind } from './kinds.js';
import { newUser, type Law } from './law.js';
import { World } from './world.js';

/** While the clock stands, a key admits what the largest limit allows, in any order of limits and costs. */
export const largestLimit: Law = {
  name: 'largest-limit',
  says: 'admits at most what its largest limit allows, and a return to a limit finds the units used',
  isAbout: ({ options, units }) =>
    units > 0 && options.charge !== 'denied' && options.mode !== 'shadow' && options.mode !== 'demote',
  usually: ['memory'],
  async check(kind, place, history) {
    const world = new World(kind, place.newStore(), { user: newUser() });
    const largest = kind.limits ? kind.limits.indexOf(Math.max(...kind.limits)) : 0;
    let used = 0;
    for (const step of history) {
      if (step.kind !== 'ask') continue;
      const cost = kind.options.algorithm === 'backoff' ? Math.min(1, step.cost) : step.cost;
      const before = await world.look(largest);
      const { allowed } = await world.ask(cost, step.limit);
      if (allowed) used += kind.options.aboveFull === 'all' ? Math.min(cost, kind.units) : cost;
      expect(used).toBeLessThanOrEqual(kind.units);
      const after = await world.look(largest);
      if (!allowed && kind.options.charge !== 'all') expect(after.remaining).toBe(before.remaining);
    }
    const { remaining, limit } = await world.look(largest);
    if (countsUnits(kind)) expect(remaining).toBe(Math.max(0, limit - used));
  },
};

/**
 * True for a tier whose units are worth the same under each of its limits. A bucket stores the time that they take, and credits
 * pay units that no tier counts.
 */
function countsUnits({ options, limits, credits }: Kind): boolean {
  if (credits !== undefined) return false;
  const isBucket = options.algorithm === 'token-bucket' || options.algorithm === 'leaky-bucket';
  return options.charge !== 'all' && options.algorithm !== 'multi-window' && !(isBucket && limits !== undefined);
}
