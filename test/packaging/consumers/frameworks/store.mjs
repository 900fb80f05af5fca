import { redisStore } from '@sluice/redis';

// Redis decides here, however busy the machine is.
export const store = redisStore({ url: process.env.REDIS_URL }, { deadline: '10s', connectDeadline: '1m' });
