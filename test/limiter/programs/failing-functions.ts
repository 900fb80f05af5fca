import { createLimiter, type Tier } from '@sluice/core';

// Every function of two tiers fails, at once or later. The caller sees one rejection a call. Node ends a program with an
// error for a rejection without a handler.

const sync = () => {
  throw new Error('sync');
};
const soon = () => Promise.reject(new Error('soon'));
const later = async () => {
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  throw new Error('later');
};

const failures = [sync, soon, later];
const statuses: string[] = [];
for (const one of failures) {
  for (const other of failures) {
    const tier = (name: string): Tier<unknown> => ({
      name,
      key: one,
      limit: other,
      cost: one,
      record: other,
      window: '1h',
    });
    const limiter = createLimiter({ partition: other, tiers: [tier('one'), tier('other')] });
    const calls = [limiter.consume({}), limiter.peek({}), limiter.reset({}), limiter.inspect({})];
    for (const each of await Promise.allSettled(calls)) statuses.push(each.status);
    const plans = createLimiter({ tiers: one });
    for (const each of await Promise.allSettled([plans.consume({}), plans.reset({})])) statuses.push(each.status);
  }
}
// The last timers are still pending.
await new Promise((resolve) => {
  setTimeout(resolve, 50);
});
console.log(new Set(statuses).size === 1 && statuses[0] === 'rejected' ? 'all rejected' : statuses.join(' '));
