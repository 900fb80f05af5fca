import { formatDuration, type LimitedWindow, type Outcome, type Policy } from '@sluice/core/internal';

/** A policy as `RateLimit-Policy` reports it. */
export interface QuotaPolicy {
  readonly name: string;
  /** Units of a full budget. */
  readonly quota: number;
  /** Seconds in which an empty budget fills up, rounded up. Undefined for a balance, which no time fills. */
  readonly window: number | undefined;
  /** It is set for a limit of requests that run at the same time, which has no window. */
  readonly isConcurrent?: true;
}

/** The reported name of a tier. The number sets it apart from earlier tiers of the same name. */
export interface PolicyName {
  readonly tier: string;
  readonly number: number;
}

/** The limit that an outcome belongs to, and until when it counts. */
type Counted = Pick<Outcome, 'limit' | 'resetAfter'>;

const MAX_NAME_LENGTH = 64;

/** One quota policy for each window of a policy, longest first. */
export function quotaPoliciesOf(name: PolicyName, policy: Policy, counted: Counted): readonly QuotaPolicy[] {
  return (policy.windows ?? [wholeWindow(policy, counted)]).map((window) => quotaPolicy(name, policy, window));
}

/** The quota policy that the limit of an outcome belongs to. */
export function bindingPolicyOf(name: PolicyName, policy: Policy, counted: Counted): QuotaPolicy {
  // Of windows with equal limits the longest has the least left.
  const window = policy.windows?.find(({ limit }) => limit === counted.limit) ?? wholeWindow(policy, counted);
  return quotaPolicy(name, policy, window);
}

/** The capacity of a bucket, and the time in which it fills. */
function wholeWindow(policy: Policy, { limit, resetAfter }: Counted): LimitedWindow {
  // The store has counted in a period of its own clock, which may be another one than that of this process.
  const { calendar } = policy;
  if (calendar && resetAfter > 0) return { limit, window: calendar.lengthUntil(Date.now() + resetAfter) };
  // A limit of 0 never fills.
  return { limit, window: limit === 0 ? policy.window : refillTime(policy) };
}

/** Microseconds, rounded up. In two steps, because quota times window can exceed the integers of a double. */
function refillTime({ quota, limit, window }: Policy): number {
  if (quota === limit) return window;
  return quota * Math.floor(window / limit) + Math.ceil((quota * (window % limit)) / limit);
}

function quotaPolicy(
  { tier, number }: PolicyName,
  { windows, algorithm }: Policy,
  { limit, window }: LimitedWindow,
): QuotaPolicy {
  const suffix = `${number > 1 ? `-${number}` : ''}${windows ? `/${formatDuration(window)}` : ''}`;
  return {
    name: `${tier.slice(0, MAX_NAME_LENGTH - suffix.length)}${suffix}`,
    quota: limit,
    window: algorithm.neverRefills ? undefined : Math.ceil(window / 1e6),
    ...(algorithm.endsWithRequest && { isConcurrent: true }),
  };
}
