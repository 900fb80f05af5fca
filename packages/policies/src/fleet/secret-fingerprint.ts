import type { Overrides } from '../overrides/index.js';
import type { FleetOverride } from './fleet-state.js';

/** Its digest under a secret tells secrets apart, and tells no more of a secret than the digests in keys do. */
export const FINGERPRINTED = 'the fingerprint of a secret';
const LENGTH = 8;

/** The fingerprint of the secret of a limiter that has one. */
export function fingerprintOf(overrides: Overrides, tier: string, isPartitioned: boolean): string {
  const partition = isPartitioned ? { partition: FINGERPRINTED } : {};
  const { digest } = overrides.check({
    tier,
    identity: FINGERPRINTED,
    ...partition,
    limit: null,
    reason: 'fingerprint',
  });
  return fingerprintIn(digest);
}

/** @param digest of FINGERPRINTED */
export function fingerprintIn(digest: string): string {
  return digest.slice(0, LENGTH);
}

/** Why an override is nobody's here. Undefined if its digest was made with the secret of this process. */
export function wrongSecret({ tier, at, fingerprint }: FleetOverride, own: string | undefined): string | undefined {
  // An earlier version has written no fingerprint, and no time.
  if (fingerprint === own || at === undefined) return undefined;
  const set = fingerprint === undefined ? 'without a secret' : 'with another secret';
  const here = own === undefined ? 'its limiter has no secret' : 'its limiter has another one';
  const what = fingerprint === undefined ? 'its limiter has one' : here;
  return `override of tier "${tier}": it was set ${set}, and ${what}: remove it, and set it with the secret of the limiter`;
}
