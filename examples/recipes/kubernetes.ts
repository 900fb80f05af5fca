// Kubernetes: blue and green with one key space, and a share for each pod while Redis is unavailable.
//
// - Both colours have the same `prefix`, `secret` and tier names. So a client has one budget before, during and after the
//   switch. A version in the prefix would give each client a second one.
// - MAX_PODS is `maxReplicas` of the autoscaler, times two while both colours run. During an outage the pods together then
//   admit at most the limit + MAX_PODS - 1. Fewer pods admit less.
// - With `minReplicas` as the divisor no client gets too little, and a scaled fleet admits more.
// - In the deployment: env: [{ name: MAX_PODS, value: '4' }], and REDIS_URL from a secret.

import { createLimiter, type Duration } from '@sluice/core';
import { redisStore } from '@sluice/redis';

export function createApi(environment: Readonly<Record<string, string | undefined>>) {
  const {
    REDIS_URL: url = 'redis://redis:6379',
    REDIS_DEADLINE: deadline = '50ms',
    MAX_PODS: pods = '1',
  } = environment;
  const store = redisStore({ url }, { deadline: deadline as Duration });
  const limiter = createLimiter<{ account: string }>({
    store,
    prefix: 'shop',
    share: 1 / Number(pods),
    name: 'account',
    key: ({ account }) => account,
    limit: 10,
    window: '1m',
  });
  return { store, limiter };
}
