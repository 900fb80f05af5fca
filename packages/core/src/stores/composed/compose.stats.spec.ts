import { createLimiter } from '../../limiter/limiter.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { FailingStore } from '../../../../../test/support/failing-store.js';
import { ManualClient } from '../../../../../test/support/manual-client.js';
import { memoryStore } from '../memory/memory-store.js';
import { redisStore } from '../../../../redis/src/redis-store.js';
import { statsOf } from './compose.js';

const tier = { name: 'minute', limit: 5, window: '1m' } as const;

describe('statsOf', () => {
  it('counts the keys of a memory store', async () => {
    const store = memoryStore({ maxKeys: 100 });
    const limiter = createLimiter<string>({ ...tier, store, key: (user) => user });

    for (const user of ['ada', 'bob', 'ada']) await limiter.consume(user);

    expect(statsOf(store)).toEqual({
      keys: [{ part: 'memory', used: 2, limit: 100 }],
      breakers: [],
      inFlight: 0,
    });
  });

  it('counts the keys that an outage of Redis leaves in this process, and the state of the breaker', async () => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
    const client = new ManualClient();
    const store = redisStore(client);
    const limiter = createLimiter<string>({ ...tier, store, key: (user) => user });
    void limiter.consume('waiting');
    const before = statsOf(store);
    client.become('close');

    for (const user of ['ada', 'bob', 'ada']) await limiter.consume(user);
    const { keys, breakers } = statsOf(store);
    await store.close();
    emitWarning.mockRestore();

    expect([before.inFlight, breakers]).toEqual([1, [{ state: 'closed', isConnected: expect.any(Boolean) }]]);
    expect(keys).toEqual([
      { part: 'local', used: 2, limit: 100_000 },
      { part: 'deny-cache', used: 0, limit: 65_536 },
      { part: 'lease', used: 0, limit: 10_000 },
    ]);
  });

  it('is empty for a store of another kind that no limiter uses', () => {
    expect(statsOf(new FailingStore(fakeClock()))).toEqual({ keys: [], breakers: [], inFlight: 0 });
  });
});
