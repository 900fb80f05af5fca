import type { Claim } from '../model/claim.js';
import type {
  BucketTerms,
  LogTerms,
  PauseTerms,
  PermitTerms,
  StrikeTerms,
  SlotsTerms,
  SlotWindowTerms,
  Terms,
  WindowTerms,
} from '../model/inspection.js';
import type { Policy } from '../model/policy.js';
import { backoff, type BackoffPolicy } from './backoff/backoff.js';
import type { Permits } from './concurrency/permits.js';
import type { LeakyBucketPolicy } from './leaky-bucket/leaky-bucket.js';
import type { MultiWindowPolicy } from './multi-window/multi-window.js';
import type { Stamps } from './sliding-window-log/stamps.js';
import type { SlidingWindowPolicy } from './sliding-window/sliding-window.js';
import { fullSlots, isRing, waitForRing, type Ring, type Slots, type SlotWindow } from './sliding-window/slots.js';
import type { ArrivalTime } from './token-bucket/arrival-time.js';
import { unitsAt, type Spent } from './token-bucket/moving-bucket.js';
import type { BucketPolicy } from './token-bucket/bucket-policy.js';

type Describe = (state: unknown, now: number, claim: Claim) => Terms;

/**
 * A state in the words of its algorithm.
 *
 * @param state as it stands at `now`
 * @param now ticks of the policy of the claim
 */
export function termsOf(state: unknown, now: number, claim: Claim): Terms {
  return byAlgorithm[claim.policy.algorithm](state, now, claim);
}

const byAlgorithm: Readonly<Record<Policy['algorithm'], Describe>> = {
  'fixed-window': (state, _now, { policy }) => windowTerms(state as readonly [number, number], policy),
  'sliding-window': (state, now, claim) => (isRing(state) ? slotsTerms(state, now, claim) : logTerms(state, claim)),
  'sliding-window-log': (state, _now, claim) => logTerms(state, claim),
  'token-bucket': bucketTerms,
  'leaky-bucket': bucketTerms,
  'multi-window': (state, now, claim) => slotsTerms(state as Ring, now, claim),
  pause: (state, now, { policy }) => pauseTerms(state as readonly [number, number], now, policy),
  backoff: (state, now, { policy }) => strikeTerms(state as readonly [number, number], now, policy as BackoffPolicy),
  concurrency: (state, now, { policy }) => permitTerms(state as Permits, now, policy),
};

function windowTerms([count, ends]: readonly [number, number], policy: Policy): WindowTerms {
  return { form: 'window', units: count, endsAt: count > 0 ? toMilliseconds(ends, policy) : undefined };
}

function logTerms(state: unknown, { policy }: Claim): LogTerms {
  const stamps = state as Stamps;
  // A limit above 64 counts in ticks of its own.
  const { tick, window, logTick = tick } = policy as Policy & Partial<SlidingWindowPolicy>;
  const oldest = stamps.length > 0 ? (stamps.at(0) * logTick + window) / 1e3 : undefined;
  return { form: 'log', units: stamps.length, oldestLeavesAt: oldest };
}

function slotsTerms(state: Ring, now: number, { policy, cost }: Claim): SlotsTerms {
  const own = policy as Partial<MultiWindowPolicy> & SlidingWindowPolicy;
  const windows: readonly (SlotWindow & { readonly window: number })[] = own.windows ?? [own];
  return { form: 'slots', windows: windows.map((window) => slotWindowTerms(state, now, window, { ...own, cost })) };
}

function slotWindowTerms(
  state: Ring,
  now: number,
  window: SlotWindow & { readonly window: number },
  policy: Slots & Policy & { readonly cost: number },
): SlotWindowTerms {
  const { limit, slots, strict } = window;
  const { slot, cost } = policy;
  const wait = cost === 0 ? 0 : waitForRing(state, now, policy, window, limit - cost);
  return {
    limit,
    window: window.window / 1e3,
    slots,
    oldest: Math.min(state[slots + 1]!, limit),
    share: strict ? 1 : 1 - (now - state[0]! * slot) / slot,
    newer: fullSlots(state, limit, slots),
    retryAfter: cost > limit ? Infinity : Math.ceil(toMilliseconds(wait, policy)),
  };
}

function bucketTerms(state: unknown, now: number, { policy }: Claim): BucketTerms {
  const {
    capacity,
    limit,
    window,
    moves,
    queued = false,
  } = policy as Policy & BucketPolicy & Partial<LeakyBucketPolicy>;
  const [ticks, rest] = state as ArrivalTime;
  const debt = ticks < now ? 0 : ticks - now + rest / limit;
  const spent = moves ? unitsAt(state as Spent, now) : debt / (window / limit);
  return { form: 'bucket', tokens: capacity - spent, capacity, interval: window / limit / 1e3, queued };
}

function strikeTerms(state: readonly [number, number], now: number, policy: BackoffPolicy): StrikeTerms {
  const [last, strikes] = state;
  const wait = backoff.wait(state, now, policy, 1);
  return {
    form: 'strikes',
    strikes,
    blockedUntil: wait > 0 ? toMilliseconds(now + wait, policy) : undefined,
    forgottenAt: strikes > 0 ? toMilliseconds(last + policy.span, policy) : undefined,
  };
}

function pauseTerms([until]: readonly [number, number], now: number, policy: Policy): PauseTerms {
  return { form: 'pause', until: until > now ? toMilliseconds(until, policy) : undefined };
}

function permitTerms(permits: Permits, now: number, policy: Policy): PermitTerms {
  const first = permits.entries().find(([, until]) => until > now);
  return { form: 'permits', units: permits.live(now), firstLapsesAt: first && toMilliseconds(first[1], policy) };
}

function toMilliseconds(ticks: number, { tick }: Policy): number {
  return (ticks * tick) / 1e3;
}
