import { formatDuration } from '../../model/duration.js';
import type { LimitedWindow, Policy } from '../../model/policy.js';

/** What clients are told of a policy, under the name that they are told it by. */
export interface QuotaPolicy {
  readonly name: string;
  /** Units of a full budget. */
  readonly units: number;
  /** Whole seconds, rounded up, in which a full budget comes back. */
  readonly window: number;
}

/** What a tier is told by: its name, and a number where another one of that name is told before it. */
export interface PolicyName {
  readonly tier: string;
  readonly number: number;
}

const NAME_MAX = 64;

/** One quota for each window of a policy, longest first. */
export function quotasOf(label: PolicyName, policy: Policy, limit: number): readonly QuotaPolicy[] {
  return (policy.windows ?? [whole(policy, limit)]).map((window) => quota(label, policy, window));
}

/** The quota that a limit which was shown belongs to. */
export function bindingQuota(label: PolicyName, policy: Policy, limit: number): QuotaPolicy {
  // Of windows with equal limits the longest has the least left.
  return quota(label, policy, policy.windows?.find((each) => each.limit === limit) ?? whole(policy, limit));
}

/** A bucket tells what it holds, and the time in which so much flows in. */
function whole(policy: Policy, limit: number): LimitedWindow {
  // In a limit of 0 nothing flows; the window is all there is to tell.
  return { limit, window: limit === 0 ? policy.window : refillTime(policy) };
}

/** Microseconds, rounded up. In parts, for the product of a quota and a window is more than a double holds. */
function refillTime({ quota: units, limit: rate, window }: Policy): number {
  if (units === rate) return window;
  return units * Math.floor(window / rate) + Math.ceil((units * (window % rate)) / rate);
}

function quota({ tier, number }: PolicyName, { windows }: Policy, { limit, window }: LimitedWindow): QuotaPolicy {
  const suffix = `${number > 1 ? `-${number}` : ''}${windows ? `/${formatDuration(window)}` : ''}`;
  return {
    name: `${tier.slice(0, NAME_MAX - suffix.length)}${suffix}`,
    units: limit,
    window: Math.ceil(window / 1e6),
  };
}
