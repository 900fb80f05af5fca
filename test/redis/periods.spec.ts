import { createLimiter } from '@sluice/core';
import { Calendar } from '../../packages/core/src/algorithms/fixed-window/calendar.js';
import { withRedisStore } from '../support/redis-store.js';

const TIMES = { slack: 5_000, month: 30 * 86_400_000 };

describe('A limiter of months on Redis', () => {
  const redis = withRedisStore();
  const ends = new Calendar('month', 'Asia/Tokyo', { month: 0, day: 31 }).around(Date.now() * 1e3).ends / 1e3;

  it.each([0, 1, 30])(
    'ends its period where the calendar does, when it made its first check %d months ago',
    async (age) => {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - age * TIMES.month);
      const limiter = createLimiter<string>({
        store: redis.store,
        name: `month-${age}`,
        key: (user) => user,
        algorithm: 'fixed-window',
        limit: 3,
        period: 'month',
        timeZone: 'Asia/Tokyo',
        startsOn: 31,
      });
      await limiter.consume('another user');
      clock.mockRestore();

      const admitted = await Promise.all(Array.from({ length: 9 }, () => limiter.consume('a')));
      const [inspection] = await limiter.inspect('a');

      const denied = admitted.filter(({ allowed }) => !allowed);
      expect(denied).toHaveLength(6);
      for (const { retryAfter } of denied) expect(Math.abs(Date.now() + retryAfter - ends)).toBeLessThan(TIMES.slack);
      expect(inspection).toMatchObject({ terms: { form: 'window', units: 3, endsAt: ends } });
    },
  );
});
