import type { PolicyOptions } from '../../index.js';
import { DenialCache } from '../../stores/denial-cache.js';
import { withLease, type LeaseContext } from '../../stores/with-lease/with-lease.js';
import { claim as claimOf, type ClaimOptions } from './claim.js';
import { RemoteStore, settled } from './remote-store.js';

export const hundred: PolicyOptions = { algorithm: 'fixed-window', limit: 100, window: '1h' };

/** A lease that has nothing in hand, and 6 units on their way; 12 are spent. */
export async function unitsComing(options: ClaimOptions = {}, context: Partial<LeaseContext> = {}) {
  const store = new RemoteStore();
  const leasing = withLease(store, { fetchFrom: store, denials: new DenialCache(), clock: store.clock, ...context });
  const claim = claimOf({ policy: hundred, lease: { units: 8, duration: 1_000 }, ...options });
  const six = [{ ...claim, cost: 6 }];
  await leasing.consume(six);
  const way = store.delay();
  void Promise.resolve(leasing.consume(six)).catch(() => undefined);
  // Whoever asks the store from now on is answered at once.
  store.way = Promise.resolve();
  await settled();
  const asked = store.groups.length;
  const ask = (cost = 1) => leasing.consume([{ ...claim, cost }]);
  return { store, leasing, claim, ask, ...way, calls: () => store.groups.length - asked };
}
