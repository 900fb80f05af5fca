import type { Stack } from '../stack.js';
import { inMemory, onEachStore, onRedis, type World } from '../world.js';
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
import { demotion, scarcity, shedding, stamps } from './shedding.js';
import { storeFailure } from './store-failure.js';
import { tiers } from './tiers.js';

/** How an adapter reads requests and writes answers: a store in memory decides at once. */
const answers = [headers, denials, counting, identities, lists, errors, shedding, stamps, scarcity];
/** What an adapter does beside an answer, and after it: Redis decides later, and is called again when a request ends. */
const endings = [decisions, refunds, permits, queues, scarcity];
/** What core decides, whatever the stack. */
const rules = [algorithms, tiers, shadow, demotion, costsAndPlans];

/** What every stack translates alike. Names begin with C numbers of docs/reference/conformance.md. */
export function translationSuite(stack: Stack): void {
  suiteOf(stack, () => {
    inMemory(stack, (world) => run(answers, world));
    onRedis(stack, (world) => run(endings, world));
    mistakes(stack);
    storeFailure(stack);
  });
}

/** The rules of core over HTTP, in memory and on Redis, and during its outages. One stack shows them. */
export function ruleSuite(stack: Stack): void {
  suiteOf(stack, () => {
    onEachStore(stack, (world) => run([...rules, world.redis ? redisState : clocked], world));
    outage(stack);
  });
}

function suiteOf(stack: Stack, define: () => void): void {
  describe(stack.name, () => {
    beforeAll(() => {
      // Each warning is emitted once a process, and has specs of its own.
      jest.spyOn(process, 'emitWarning').mockReturnValue();
    });

    afterAll(() => jest.restoreAllMocks());

    define();
  });
}

function run(scenarios: readonly ((world: World) => void)[], world: World): void {
  for (const scenario of scenarios) scenario(world);
}
