import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { notices } from '@sluice/quotas';

const client = new Redis(Number(process.argv[2]));
const store = redisStore(client, { deadline: '10s' });
/** @type {string[]} */
let given = [];

/** @type {import('@sluice/core').Limiter<string>} */
const limiter = createLimiter({
  store,
  key: (/** @type {string} */ user) => user,
  label: (/** @type {string} */ user) => user,
  onNotice: ({ label, mark }) => given.push(`${label} ${mark}`),
  name: 'year',
  algorithm: 'fixed-window',
  limit: 400,
  period: 'year',
  startsOn: /** @type {`${number}-${number}`} */ (process.argv[3]),
  notices: notices(0.5, 0.75, 0.9, 1),
});
await client.ping();

/**
 * Charges, refunds and settles, a batch in one turn.
 *
 * @param {{ users: string[], turns: number }} work
 */
async function work({ users, turns }) {
  given = [];
  let charges = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    await Promise.all(
      users.map(async (user, place) => {
        const cost = 1 + ((turn + place) % 3);
        const decision = await limiter.consume(user, { cost });
        charges += 1;
        if (!decision.allowed) return;
        // Some correct what they took, so that counts pass a mark up and down.
        const kind = (turn * 7 + place) % 5;
        if (kind === 0) await limiter.refund(decision);
        if (kind === 1) await limiter.settle(decision, cost + 2);
        if (kind === 2) await limiter.settle(decision, 0);
      }),
    );
  }
  return { charges, notices: given };
}

process.on('message', (job) => {
  void work(/** @type {{ users: string[], turns: number }} */ (job)).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => client.disconnect());
process.send?.('ready');
