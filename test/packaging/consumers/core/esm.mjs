import { createLimiter } from '@sluice/core';
import { fakeClock, storeSuite } from '@sluice/testing';

const limiter = createLimiter({
  tiers: [{ name: 'hourly', key: (subject) => subject.ip, limit: 2, window: '1h' }],
});
const decisions = [];
for (let request = 0; request < 3; request++) decisions.push(await limiter.consume({ ip: '192.0.2.1' }));

console.log(
  JSON.stringify({ allowed: decisions.map(({ allowed }) => allowed), testing: [typeof fakeClock, typeof storeSuite] }),
);
