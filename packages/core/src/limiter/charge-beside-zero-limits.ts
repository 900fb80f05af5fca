import { definePolicy } from '../algorithms/policy-options.js';
import { chain, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Claim } from '../model/claim.js';
import type { Policy } from '../model/policy.js';
import type { WrappedStore } from '../stores/compose.js';
import { answerWith, type Answer } from '../stores/store.js';
import type { ClaimSet, PlannedClaims } from './claims/claim-set.js';

type Decider = Pick<WrappedStore, 'peek' | 'chargeRates'>;

export const NO_CLAIMS: Answer = { outcomes: [], receipts: [], source: 'none' };

/** Decides a request that has limits of 0. Where one of them denies, no other tier is charged, but those that charge denied requests. */
export function chargeBesideZeroLimits(decider: Decider, claimSet: PlannedClaims): MaybePromise<Answer> {
  const { claims, zeroLimits, labels, plan } = claimSet;
  const isDenied = zeroLimits!.some(({ allowed, shadow }) => !allowed && !shadow);
  const admit = () => (claims.length === 0 ? NO_CLAIMS : plan.consume(claims, labels));
  const answer = isDenied ? chargeDenied(decider, claims) : admit();
  return chain(answer, (each) => withZeroLimits(each, claimSet));
}

/** The answer of a store with the outcomes of limits of 0, in the order of the tiers. */
export function withZeroLimits(answer: Answer, { tiers, zeroLimits = [] }: ClaimSet): Answer {
  const outcomes = [...answer.outcomes, ...zeroLimits];
  // A fallback or a cache may leave tiers out.
  return answerWith(answer, {
    outcomes: tiers.flatMap(({ name }) => outcomes.find(({ tier }) => tier === name) ?? []),
  });
}

/** Charges the tiers that charge denied requests, and reads the others. */
function chargeDenied(decider: Decider, claims: readonly Claim[]): MaybePromise<Answer> {
  const charging = claims.filter(({ charge }) => charge !== 'admitted');
  const others = claims.filter(({ charge }) => charge === 'admitted');
  const both = charging.flatMap((claim) => [claim, denialBeside(claim)]);
  const charged = both.length === 0 ? NO_CLAIMS : decider.chargeRates(both);
  const peeked = others.length === 0 ? NO_CLAIMS : decider.peek(others);
  const merge = (one: Answer, other: Answer): Answer => ({
    ...other,
    ...(charging.length > 0 && one),
    outcomes: [...one.outcomes, ...other.outcomes],
    receipts: one.receipts,
  });
  // Sent together, for one wait.
  return isPromise(charged) || isPromise(peeked)
    ? Promise.all([charged, peeked]).then(([one, other]) => merge(one, other))
    : merge(charged, peeked);
}

/** Made at its first use: few programs have limits of 0. */
let one: Policy | undefined;

/** A claim that never fits, beside another: it tells the store that a limit of 0 denies the request. It stores nothing. */
function denialBeside({ key, onStoreFailure = 'local' }: Claim): Claim {
  one ??= definePolicy({ algorithm: 'fixed-window', limit: 1, window: '1s' });
  const claim = { tier: '', key: `${key}:0`, policy: one, cost: 2, shadow: false, charge: 'admitted' } as const;
  return { ...claim, record: undefined, onStoreFailure };
}
