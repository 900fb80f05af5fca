import { definePolicy } from '../../algorithms/policy-options.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { StopSignal } from '../../model/stop-signal.js';
import { answerWith, type Answer } from '../../stores/store.js';
import type { KeyBounds } from '../key-function.js';
import type { OverrideEntry } from '../overrides/override-entry.js';

/** The claims of one request, by the limits of their tiers. */
export interface PlainClaims {
  /** The tiers that apply. */
  readonly tiers: readonly TierInfo[];
  /** What a store decides, in the order of the tiers. */
  readonly claims: readonly Claim[];
  /** The outcomes of limits of 0: nothing fits them, so that no store has a state of them. Undefined without one. */
  readonly zeroLimits: readonly Outcome[] | undefined;
  /** The texts of `label`, by the name of the tier. Undefined without one. */
  readonly labels: ReadonlyMap<string, string> | undefined;
}

/** The claims of one request. */
export interface ClaimSet extends PlainClaims {
  /** Absent without overrides. */
  readonly overridden?: Overridden<ClaimSet> | undefined;
}

/** What overrides have changed in the claims of a request. */
export interface Overridden<Claims extends ClaimSet> {
  /** By the name of the tier. */
  readonly tiers: ReadonlyMap<string, TierOverride>;
  /** The claims without the overrides that are over by now. */
  again(): Claims;
}

/** An override in the place of the limit of a tier. */
export interface TierOverride {
  readonly entry: OverrideEntry;
  /** One unit of its key by the limit of the tier: the store says its time with the state. */
  readonly probe: Claim;
  /** The cost of the request fits the limit of the tier, if the tier has enough left. */
  readonly fitsLater: boolean;
}

/** What a plan does with the claims of a request. */
export interface Charger {
  /** Charges claims on its tiers, past the layers that none of them needs. */
  readonly consume: (claims: readonly Claim[]) => MaybePromise<Answer>;
}

/** The claims of a request on the tiers of a plan. */
export interface PlannedClaims extends ClaimSet {
  readonly plan: Charger;
  readonly overridden?: Overridden<PlannedClaims> | undefined;
}

/** The facts of a tier that a decision needs. */
export interface TierInfo {
  readonly name: string;
  readonly policy: Policy;
  /** Undefined for a tier that takes the cost of the request. */
  readonly cost: unknown;
  readonly bounds: KeyBounds | undefined;
}

/** The same claims, whose request waits until a signal, or so many milliseconds instead of as long as their tiers say. */
export function withPatience(
  claimSet: PlannedClaims,
  signal: StopSignal | undefined,
  wait: number | undefined,
): PlannedClaims {
  if (signal === undefined && wait === undefined) return claimSet;
  const patience = { signal, wait };
  const withIt = (claims: readonly Claim[]) => claims.map((claim) => ({ ...claim, patience }));
  return mapClaims(claimSet, withIt);
}

/** The same claims after a change, also when overrides have ended meanwhile. */
export function mapClaims<Claims extends ClaimSet>(
  claimSet: Claims,
  change: (claims: readonly Claim[]) => readonly Claim[],
): Claims {
  const { claims, overridden } = claimSet;
  const changed = { ...claimSet, claims: change(claims) };
  if (overridden === undefined) return changed;
  return { ...changed, overridden: { ...overridden, again: () => mapClaims(overridden.again(), change) } };
}

/** The answer of a store with the outcomes of limits of 0, in the order of the tiers. */
export function withZeroLimits(answer: Answer, { tiers, zeroLimits = [] }: ClaimSet): Answer {
  const outcomes = [...answer.outcomes, ...zeroLimits];
  // A fallback or a cache may leave tiers out.
  return answerWith(answer, {
    outcomes: tiers.flatMap(({ name }) => outcomes.find(({ tier }) => tier === name) ?? []),
  });
}

/** Made at its first use: few programs have limits of 0. */
let one: Policy | undefined;

/** A claim that never fits, beside another: it tells the store that a limit of 0 denies the request. It stores nothing. */
export function denialBeside({ key, onStoreFailure = 'local' }: Claim): Claim {
  one ??= definePolicy({ algorithm: 'fixed-window', limit: 1, window: '1s' });
  const claim = { tier: '', key: `${key}:0`, policy: one, cost: 2, shadow: false, charge: 'admitted' } as const;
  return { ...claim, record: undefined, onStoreFailure };
}

/** A limit of 0 denies every request that costs anything, unless it is in shadow. */
export function zeroLimitOutcome({ name, policy }: TierInfo, cost: number, shadow: boolean): Outcome {
  const allowed = cost === 0;
  return {
    tier: name,
    allowed,
    never: !allowed,
    shadow,
    limit: 0,
    remaining: 0,
    retryAfter: allowed ? 0 : Infinity,
    replenishAfter: 0,
    resetAfter: 0,
    delay: 0,
    ...(policy.kind === 'running' && { held: true }),
  };
}
