import { byIp } from '../../../http/src/keys/ip.js';
import { digestOf, identityText, ownerText, StoreKeys } from '../../../core/src/limiter/keys/store-keys.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { OwnedOverrides } from './owned-overrides.js';
import { overridesOf } from './overrides-of.js';

const TIERS = ['minute', 'hour', 'day'];
const overrideOf = (user: string) => ({
  tier: 'hour',
  digest: digestOf(identityText(user)),
  limit: 5,
  reason: 'a test',
});

describe('OwnedOverrides', () => {
  it('knows of most identities without a look-up that they have none, and finds each that has one', () => {
    const owned = new OwnedOverrides();
    const overrides = Array.from({ length: 10_000 }, (_, index) => overrideOf(`customer ${index}`));
    const others = Array.from({ length: 10_000 }, (_, index) => overrideOf(`other ${index}`));

    for (const each of overrides) owned.add(each);

    const isLookedUp = ({ digest }: { digest: string }) => owned.mayHave(ownerText(digest, undefined), 1);
    expect(overrides.every((each) => isLookedUp(each) && owned.find(each) === each)).toBe(true);
    expect(others.filter(isLookedUp).length).toBeLessThan(600);
  });
});

describe('overridesOf', () => {
  it('changes no store key, so that an identity keeps those that it remembers', async () => {
    const key = byIp<{ ip: string }>();
    const tiers = TIERS.map((name) => ({ name, key, limit: 9, window: '1h' }) as const);
    const limiter = createLimiter({ store: memoryStore(), tiers });
    await limiter.consume({ ip: '203.0.113.7' });
    const made = jest.spyOn(StoreKeys.prototype, 'keyOfDigest');

    for (const tier of TIERS) overridesOf(limiter).set({ tier, identity: 'ada', limit: 5, reason: 'ticket 4711' });
    await limiter.consume({ ip: '203.0.113.7' });
    overridesOf(limiter).replace([]);
    await limiter.consume({ ip: '203.0.113.7' });

    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});
