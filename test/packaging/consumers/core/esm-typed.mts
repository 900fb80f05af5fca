import { createLimiter, type Decision } from '@sluice/core';
import { fakeClock, storeSuite } from '@sluice/testing';

const limiter = createLimiter({
  tiers: [{ name: 'hourly', key: (subject: { ip: string }) => subject.ip, limit: 2, window: '1h' }],
});
const decisions: Decision[] = [];
for (let request = 0; request < 3; request++) decisions.push(await limiter.consume({ ip: '192.0.2.1' }));

// @ts-expect-error: the subject has no address, which only types that resolve can tell
void (() => limiter.consume({}));

console.log(
  JSON.stringify({ allowed: decisions.map(({ allowed }) => allowed), testing: [typeof fakeClock, typeof storeSuite] }),
);
