import type { Requests } from './requests.js';
import { storeKeyOf } from './claims/claims-of-values.js';
import { keyOf, ofRequest, ONE_UNIT } from './claims/tier-values.js';

/**
 * The line in which work of `run` waits: that of the store keys of its subject, and of its callers where they share a limit.
 *
 * @returns its key, and how many of its checks are in flight
 */
export async function lineOf<S>({ book, claimBuilder }: Requests<S>, subject: S) {
  const tiers = await book.tiersFor(subject);
  const keys = await claimBuilder.resolve(tiers, subject, {
    call: (tier) => ofRequest(tier, subject, { ...ONE_UNIT, key: keyOf(tier, subject), limit: 1 }),
    build: (values, partition) =>
      tiers.map((tier, index) => {
        const { key, own: results } = values[index]!;
        const caller = results === undefined ? '' : ` ${tier.own!.textOf(tier.own!.read(results))}`;
        return storeKeyOf(tier, key, partition) + caller;
      }),
  });
  // Each denied check is charged, so that checks are sent one by one.
  const chargesDenied = tiers.some(({ charge }) => charge !== 'admitted');
  return { key: keys.join('\n'), most: chargesDenied ? 1 : Infinity };
}
