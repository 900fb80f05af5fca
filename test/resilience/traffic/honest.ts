import type { Decision, OnStoreFailure } from '../../../packages/core/src/index.js';

/**
 * True when a decision matches its `source`: with an outcome by Redis, and else degraded and as `onStoreFailure` says.
 * For limits that no client reaches.
 */
export function isHonest(decision: Decision, onStoreFailure: OnStoreFailure): boolean {
  if (decision.source === 'redis') return !decision.degraded && decision.reason === 'ok' && counts(decision);
  return decision.degraded && made[onStoreFailure](decision);
}

const made: Record<OnStoreFailure, (decision: Decision) => boolean> = {
  local: (decision) => decision.source === 'local' && decision.reason === 'ok' && counts(decision),
  allow: ({ source, allowed, reason, outcomes, binding }) =>
    source === 'none' && allowed && reason === 'ok' && outcomes.length === 0 && binding === undefined,
  deny: ({ source, allowed, reason, retryAfter, deniedBy }) =>
    source === 'none' &&
    !allowed &&
    reason === 'unavailable' &&
    deniedBy.length === 0 &&
    retryAfter >= 1_000 &&
    retryAfter <= 5_000,
};

function counts({ allowed, outcomes }: Decision): boolean {
  return allowed && outcomes.length === 1 && outcomes[0]!.remaining < outcomes[0]!.limit;
}
