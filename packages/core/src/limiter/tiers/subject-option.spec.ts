import { createLimiter, memoryStore } from '../../index.js';
import { fairBy } from '../../../../overload/src/fair/index.js';

interface Subject {
  readonly tenant: string;
}

describe('createLimiter, with fair', () => {
  it('yields units in flight to a caller that was denied below its share', async () => {
    const limiter = createLimiter<Subject>({
      store: memoryStore(),
      name: 'workers',
      key: () => 'all',
      algorithm: 'concurrency',
      limit: 2,
      fair: fairBy(({ tenant }) => tenant),
    });
    const taken = [await limiter.consume({ tenant: 'ada' }), await limiter.consume({ tenant: 'ada' })];
    await limiter.consume({ tenant: 'bob' });
    await limiter.release(taken[0]!);

    const [ada, bob] = [await limiter.consume({ tenant: 'ada' }), await limiter.consume({ tenant: 'bob' })];

    expect([ada.allowed, bob.allowed]).toEqual([false, true]);
  });
});
