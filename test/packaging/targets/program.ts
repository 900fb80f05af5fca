import { createLimiter, isSluiceError, UsageError } from '@sluice/core';
import { byIp, CoolDown, rateLimit } from '@sluice/express';

export const limiter = createLimiter({
  name: 'user',
  key: ({ user }: { user: string }) => user,
  limit: 5,
  window: '1m',
});
export const handler = rateLimit({ key: byIp(), limit: 5, window: '1m' });
export const isUsage = (error: unknown) => isSluiceError(error) && error instanceof UsageError;
export const pause = new CoolDown('1m', { cause: new Error('busy') });
