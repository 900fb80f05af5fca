import rateLimit, { byIp, createLimiter, type Decision } from '@sluice/express';
import { createGate } from '@sluice/http';
import { expressTrust } from '@sluice/http/adapter';
import { fakeClock } from '@sluice/testing';

const limiter = createLimiter({ name: 'hour', key: byIp(), limit: 2, window: '1h' });
const middleware = rateLimit({ name: 'minute', key: byIp(), limit: 2, window: '1m' });
// @ts-expect-error: a decision is no text, which only types that resolve can tell
void (async () => (await limiter.consume({})) satisfies string);

void (async () => {
  const decision: Decision = await limiter.consume({ ip: '192.0.2.1' });
  const kinds = [middleware, createGate, expressTrust, fakeClock].map((each) => typeof each);
  console.log(JSON.stringify({ allowed: decision.allowed, kinds }));
})();
