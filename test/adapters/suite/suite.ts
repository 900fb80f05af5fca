import type { Stack } from '../stack.js';
import { onEachStore } from '../world.js';
import { algorithms } from './algorithms.js';
import { clocked } from './clocked.js';
import { costsAndPlans } from './costs-and-plans.js';
import { counting } from './counting.js';
import { decisions } from './decisions.js';
import { denials } from './denials.js';
import { errors } from './errors.js';
import { headers } from './headers.js';
import { identities } from './identities.js';
import { lists } from './lists.js';
import { mistakes } from './mistakes.js';
import { outage } from './outage.js';
import { permits } from './permits.js';
import { queues } from './queues.js';
import { redisState } from './redis-state.js';
import { refunds } from './refunds.js';
import { shadow } from './shadow.js';
import { tiers } from './tiers.js';

/** What an adapter translates: requests, answers, headers, endings. Each stack does it at once in memory, and later on Redis. */
const translation = [headers, denials, counting, decisions, refunds, permits, errors];
/** What core decides alone. Its answer does not depend on the stack, and on Redis the first stack shows it. */
const rules = [identities, algorithms, tiers, shadow, queues, lists, costsAndPlans];

/**
 * What every stack does alike, with state in memory and on Redis, and without its Redis. Names begin with C numbers of
 * docs/reference/conformance.md.
 *
 * @param isFirst it shows the rules on Redis too
 */
export function adapterSuite(stack: Stack, isFirst = false): void {
  describe(stack.name, () => {
    beforeAll(() => {
      // Each warning is emitted once a process, and has specs of its own.
      jest.spyOn(process, 'emitWarning').mockReturnValue();
    });

    afterAll(() => jest.restoreAllMocks());

    onEachStore(stack, (world) => {
      const isInMemory = world.redis === undefined;
      const scenarios = isInMemory || isFirst ? [...translation, ...rules] : translation;
      for (const scenario of scenarios) scenario(world);
      if (isInMemory) clocked(world);
      else if (isFirst) redisState(world);
    });

    mistakes(stack);
    outage(stack);
  });
}
