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

const scenarios = [
  identities,
  algorithms,
  tiers,
  headers,
  denials,
  counting,
  decisions,
  shadow,
  queues,
  refunds,
  permits,
  lists,
  costsAndPlans,
  errors,
];

/** What every stack does alike, with state in memory and on Redis, and without its Redis. Names begin with C numbers of docs/reference/conformance.md. */
export function adapterSuite(stack: Stack): void {
  describe(stack.name, () => {
    beforeAll(() => {
      // Each warning is emitted once a process, and has specs of its own.
      jest.spyOn(process, 'emitWarning').mockReturnValue();
    });

    afterAll(() => jest.restoreAllMocks());

    onEachStore(stack, (world) => {
      for (const scenario of scenarios) scenario(world);
      if (world.redis === undefined) clocked(world);
      else redisState(world);
    });

    mistakes(stack);
    outage(stack);
  });
}
