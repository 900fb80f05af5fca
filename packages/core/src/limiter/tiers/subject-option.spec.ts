import { createLimiter, memoryStore } from '../../index.js';
import type { Tier } from './tier.js';

interface Subject {
  readonly tenant: string;
}

const workers: Tier<Subject> = {
  name: 'workers',
  key: () => 'all',
  algorithm: 'concurrency',
  limit: 2,
  fair: { by: ({ tenant }) => tenant },
};

// No other spec of this file may import the room: a file has a process of its own.
describe('A limiter of a program without @sluice/core/fair', () => {
  it('says at the start what fair needs', () => {
    const create = () => createLimiter<Subject>({ store: memoryStore(), tiers: [workers] });

    const rule = "belongs to @sluice/core/fair, which no file has imported: write import '@sluice/core/fair'";
    expect(create).toThrow(`tier "workers" (concurrency): fair ${rule}`);
  });

  it('takes the same tier after the import', async () => {
    await import('../../fair/index.js');
    const limiter = createLimiter<Subject>({ store: memoryStore(), tiers: [workers] });
    const taken = [await limiter.consume({ tenant: 'ada' }), await limiter.consume({ tenant: 'ada' })];
    await limiter.consume({ tenant: 'bob' });
    await limiter.release(taken[0]!);

    const [ada, bob] = [await limiter.consume({ tenant: 'ada' }), await limiter.consume({ tenant: 'bob' })];

    expect([ada.allowed, bob.allowed]).toEqual([false, true]);
  });
});
