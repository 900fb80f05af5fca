import { definePolicy } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';

const client = new Redis(Number(process.argv[2]));
const store = redisStore(client, { deadline: '10s' });
await client.ping();

/**
 * Sends the checks of a round in one turn, and the next round after all answers.
 *
 * @param {import('./job.ts').Job} job
 */
async function work({ claims, costs, rounds }) {
  const tiers = claims.map(({ policy, charge = 'admitted', ...claim }) => ({
    shadow: false,
    record: undefined,
    ...claim,
    policy: definePolicy(policy),
    terms: {
      charge: /** @type {'admitted' | 'denied'} */ (charge),
      lease: undefined,
      onStoreFailure: /** @type {const} */ ('local'),
      takesAll: false,
      localPolicyOf: (/** @type {import('@sluice/core').Policy} */ each) => each,
    },
  }));
  const outcome = { checks: 0, admitted: 0, units: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(costs.map((cost) => store.consume(tiers.map((tier) => ({ ...tier, cost })))));
    answers.forEach(({ outcomes }, index) => {
      outcome.checks += 1;
      if (!outcomes.every((each) => each.allowed)) return;
      outcome.admitted += 1;
      outcome.units += costs[index] ?? 0;
    });
  }
  return outcome;
}

process.on('message', (job) => {
  void work(/** @type {import('./job.ts').Job} */ (job)).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => client.disconnect());
process.send?.('ready');
