import { appendFileSync } from 'node:fs';
import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { balance, creditsOf, usage } from '@sluice/quotas';

// Spends, refunds and buys credits until it is killed. It writes what it begins and what it knows into a file.

const [port, file] = process.argv.slice(2);
/** Of all processes, less than an account remembers. */
const INVOICES = 20;
const CREDIT = 50;
/** Every second credit ends soon, several at the same time. */
const SOON = 300;

const store = redisStore({ url: `redis://127.0.0.1:${port}` }, { deadline: '10s' });
/** @param {{ user: string }} caller */
const key = ({ user }) => user;
const limiter = createLimiter({
  store,
  tiers: [
    { name: 'month', key, algorithm: 'fixed-window', limit: 300, window: '1d', usage: usage() },
    { name: 'credits', key, algorithm: balance({ covers: ['month'], split: true }), usage: usage() },
  ],
});
const ada = { user: 'ada' };
await store.ready();

/** @param {string} what @param {string | number} about */
function note(what, about) {
  appendFileSync(file ?? '', `${what} ${about}\n`);
}

/** @param {number} place */
async function spend(place) {
  for (let turn = place; ; turn += 1) {
    const cost = 1 + (turn % 3);
    note('charge', cost);
    const decision = await limiter.consume(ada, { cost });
    note(decision.allowed ? 'charged' : 'denied', cost);
    if (!decision.allowed) await buy(turn % INVOICES);
    else if (turn % 4 === 0) await refund(decision, cost);
  }
}

/** @param {import('@sluice/core').Decision} decision @param {number} cost */
async function refund(decision, cost) {
  note('refund', cost);
  note('refunded', await limiter.refund(decision, { month: cost }));
}

/** @param {number} invoice */
async function buy(invoice) {
  note('credit', invoice);
  const expiresAt = invoice % 2 === 0 ? undefined : (Math.ceil(Date.now() / SOON) + 1) * SOON;
  await creditsOf(limiter).credit(ada, CREDIT, { id: `invoice ${invoice}`, expiresAt });
  note('credited', invoice);
}

await Promise.all([0, 1, 2, 3].map(spend));
