import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { balance, creditsOf, endGrants } from '@sluice/quotas';

// One of several processes with low balances. It does what its parent asks, or ends grants by itself, and writes each notice and
// each run into a file before anything else happens, so that a process which is killed has written what it was told.

const [port, file, every] = process.argv.slice(2);

/** @param {string} line */
function note(line) {
  appendFileSync(file ?? '', `${line}\n`);
}

const store = redisStore({ url: `redis://127.0.0.1:${port}` }, { deadline: '10s' });
const limiter = createLimiter({
  store,
  tiers: [
    {
      name: 'credits',
      /** @param {string} user */
      key: (user) => user,
      algorithm: balance({
        lowBalance: [50, 10],
        onLowBalance: ({ digest, mark, cause }) => note(`${digest} ${mark} ${cause}`),
      }),
    },
  ],
});
await store.ready();

/** @type {{ decision: import('@sluice/core').Decision }[]} */
const paid = [];

/** @type {Readonly<Record<string, (units: number) => Promise<unknown>>>} */
const TASKS = {
  // Until so many were paid, or none is left.
  spend: async (units) => {
    for (let turn = 0; turn < units; turn += 20) {
      const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.consume('ada')));
      paid.push(...decisions.filter(({ allowed }) => allowed).map((decision) => ({ decision })));
      if (decisions.some(({ allowed }) => !allowed)) return;
    }
  },
  refund: async (units) => {
    for (const { decision } of paid.splice(0, units)) await limiter.refund(decision);
  },
  credit: (units) => creditsOf(limiter).credit('ada', units, { id: `${process.pid} ${performance.now()}` }),
};

if (every !== undefined) {
  const ends = endGrants(store, { every });
  for (;;) {
    const { balances, units } = await ends.run();
    note(`ran ${balances} ${units}`);
    // Another process may have the lock.
    await setTimeout(100);
  }
}

process.on('message', (/** @type {{ task: string, units: number }} */ { task, units }) => {
  void TASKS[task]?.(units).then(() => process.send?.('done'));
});
process.send?.('ready');
