import { byIp } from '../http/keys/ip.js';
import { StoreKeys } from '../limiter/claims/store-keys.js';
import { createLimiter } from '../limiter/limiter.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { overridesOf } from './overrides-of.js';

const TIERS = ['minute', 'hour', 'day'];

describe('MarkedKeys', () => {
  it('are remembered by identities, and the keys of the tiers again when all overrides are gone', async () => {
    const key = byIp<{ ip: string }>();
    const tiers = TIERS.map((name) => ({ name, key, limit: 9, window: '1h' }) as const);
    const limiter = createLimiter({ store: memoryStore(), tiers });
    const made = jest.spyOn(StoreKeys.prototype, 'keyOfDigest');
    const keysMade = async () => {
      await limiter.consume({ ip: '203.0.113.7' });
      made.mockClear();
      await limiter.consume({ ip: '203.0.113.7' });
      return made.mock.calls.length;
    };

    const before = await keysMade();
    for (const tier of TIERS) overridesOf(limiter).set({ tier, identity: 'ada', limit: 5, reason: 'ticket 4711' });
    const during = await keysMade();
    overridesOf(limiter).replace([]);

    expect([before, during, await keysMade()]).toEqual([0, 0, 0]);
    made.mockRestore();
  });
});
