import { createLimiter } from '@sluice/core';
import { balance, creditsOf } from '@sluice/quotas';
import { redisStore } from '@sluice/redis';

const store = redisStore({ url: `redis://127.0.0.1:${process.argv[2]}` }, { deadline: '10s' });
/** @param {{ user: string }} caller */
const key = ({ user }) => user;
const limiter = createLimiter({
  store,
  tiers: [
    { name: 'month', key, algorithm: 'fixed-window', limit: 50, window: '1d' },
    { name: 'credits', key, algorithm: balance({ covers: ['month'] }) },
  ],
});
await store.ready();

/** @param {import('./credits-job.ts').CreditsJob} job */
async function work({ user, credits, units, requests }) {
  const credited = Array.from({ length: credits }, () =>
    creditsOf(limiter).credit({ user }, units, { id: 'invoice 1' }),
  );
  await Promise.all(credited);
  const decisions = await Promise.all(Array.from({ length: requests }, () => limiter.consume({ user })));
  const admitted = decisions.filter(({ allowed }) => allowed);
  return { admitted: admitted.length, paid: admitted.filter(({ paidBy }) => paidBy === 'credits').length };
}

process.on('message', (job) => {
  void work(/** @type {import('./credits-job.ts').CreditsJob} */ (job)).then((done) => process.send?.(done));
});
process.on('disconnect', () => void store.close());
process.send?.('ready');
