// wishes/ lets processes that have requests in line leave permits for each other. Permits and the wishes of processes
// enter. It imports concurrency, and is loaded only where processes share a store.
import type { Algorithm } from '../../algorithm.js';
import type { DeniedClaim, Wishing } from '../../wishing.js';
import { concurrency } from '../concurrency.js';
import { partiesOf } from './parties.js';
import type { PermitPolicy } from '../permit-policy.js';
import type { Permits } from '../permits.js';
import { mayTake, sinceAfter, sinceOf, type Standing } from './shares.js';
import { WishingPermits, type Wish } from './wishing-permits.js';

/** A limit in flight for which requests wait: processes in which some do leave wishes, and others yield. */
export const waitingConcurrency: Algorithm<PermitPolicy, Permits> = {
  ...concurrency,
  facets: { ...concurrency.facets, wishing: { leaveWishes, tell } satisfies Wishing },
  twin: 'cw',
  packing: {
    path: () => 'cw',
    unpack: (numbers, position) => new WishingPermits(undefined, undefined, numbers[position]),
  },

  read(stored, now, policy) {
    const read = concurrency.read(stored, now, policy);
    return read instanceof WishingPermits ? read : new WishingPermits(read.entries());
  },

  wait(state, now, policy, cost, name) {
    const permits = state as WishingPermits;
    const wait = concurrency.wait(state, now, policy, cost);
    const told = permits.told?.shift();
    if (told !== undefined) return told ? 0 : policy.retry;
    if (wait > 0) return wait;
    const standing = { state: permits, now, policy };
    return partiesOf(policy, name).every((party) => mayTake(standing, cost, party)) ? 0 : policy.retry;
  },

  charge(state, now, policy, cost, name) {
    const charged = concurrency.charge(state, now, policy, cost, name) as WishingPermits;
    const standing: Standing = { state: charged, now, policy };
    for (const party of partiesOf(policy, name)) {
      const known = charged.wishes.get(party.name);
      if (party.stays) {
        charged.wish(party.name, { since: sinceAfter(standing, party), until: now + party.lasts, cost: 1 });
      } else if (known === undefined || known.until <= now) continue;
      else charged.wishes.delete(party.name);
      charged.dropWishes(now);
    }
    return charged;
  },

  revive(json) {
    const { permits, wishes, others } = json as {
      permits: [string, number][];
      wishes?: [string, Wish][];
      others?: number;
    };
    return new WishingPermits(permits, wishes, others);
  },
};

function tell(state: unknown, mayTakeUnits: boolean): void {
  const permits = state as WishingPermits;
  permits.told ??= [];
  permits.told.push(mayTakeUnits);
}

function leaveWishes(denied: DeniedClaim): void {
  const { claim, ticks: now, cost } = denied;
  const policy = claim.policy as PermitPolicy;
  const state = denied.state as WishingPermits;
  for (const party of partiesOf(policy, claim.name)) {
    state.wish(party.name, { since: sinceOf({ state, now, policy }, party), until: now + party.lasts, cost });
  }
  state.dropWishes(now);
  denied.changed = true;
}

const known = new WeakMap<PermitPolicy, PermitPolicy>();
const origins = new WeakMap<object, PermitPolicy>();

/** The policy of requests that wait in line: processes in which some do leave each other units. */
export function waitingPolicy(policy: PermitPolicy): PermitPolicy {
  // By its code, because another copy of this package may have made the policy.
  if (policy.algorithm.twin !== concurrency.twin) return policy;
  let waiting = known.get(policy);
  if (waiting === undefined) {
    waiting = Object.freeze({ ...policy, algorithm: waitingConcurrency });
    known.set(policy, waiting);
    origins.set(waiting, policy);
  }
  return waiting;
}

/** The policy that the tier knows, where it is one that `waitingPolicy` has made of it. */
export function tierPolicyOf<Any extends object>(policy: Any): Any | PermitPolicy {
  return origins.get(policy) ?? policy;
}
