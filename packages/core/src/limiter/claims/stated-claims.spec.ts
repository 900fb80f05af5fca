import * as fc from 'fast-check';
import { RemoteStore } from '../../../../../test/support/remote-store.js';
import type { Claim } from '../../model/claim.js';
import { createLimiter } from '../limiter.js';
import type { Tier } from '../tiers/tier.js';

interface Subject {
  readonly user: string;
  readonly org: string;
}

const tier = fc.record({
  policy: fc.constantFrom<object>(
    { algorithm: 'fixed-window', limit: 5, window: '10s' },
    { algorithm: 'sliding-window-log', limit: 5, window: '10s' },
    { algorithm: 'token-bucket', limit: 7, window: '10s', aboveFull: 'all' },
    { algorithm: 'concurrency', limit: 4 },
  ),
  isOfOrg: fc.boolean(),
  mode: fc.constantFrom('enforce', 'shadow', 'demote'),
  cost: fc.constantFrom(undefined, 1, 2),
});
type TierChoice = typeof tier extends fc.Arbitrary<infer T> ? T : never;

/** What tiers ask the store for a request. @param more options of each tier */
async function claimsOf(tiers: readonly TierChoice[], more: object, subject: Subject, cost: number): Promise<unknown> {
  const store = new RemoteStore();
  const consume = jest.spyOn(store, 'consume');
  const limiter = createLimiter<Subject>({
    store,
    denyCache: false,
    tiers: tiers.map(({ policy, isOfOrg, mode, cost: own }, index) => {
      const key = ({ user, org }: Subject) => (isOfOrg ? org : user);
      const options = { name: `tier ${index}`, key, mode, ...policy, ...(own !== undefined && { cost: own }), ...more };
      return options as unknown as Tier<Subject>;
    }),
  });
  await limiter.consume(subject, { cost });
  await limiter.close();
  return consume.mock.calls.map(([group]) => group.map(facts));
}

/** Names of units differ from request to request. */
function facts({ terms, name, ...claim }: Claim): unknown {
  const { charge, takesAll, onStoreFailure, lease } = terms!;
  return { ...claim, isNamed: name !== undefined, terms: { charge, takesAll, onStoreFailure, lease } };
}

describe('statedClaims', () => {
  it('asks what the same tiers ask by values of functions', async () => {
    const subject = fc.record({ user: fc.constantFrom('ada', 'grace'), org: fc.constantFrom('acme', 'ada') });
    const tiers = fc.array(tier, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(tiers, subject, fc.constantFrom(1, 1, 3, 9), async (each, requester, cost) => {
        const stated = await claimsOf(each, {}, requester, cost);

        expect(stated).toEqual(await claimsOf(each, { label: () => undefined }, requester, cost));
      }),
      { numRuns: 60 },
    );
  });
});
