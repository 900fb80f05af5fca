import type { Attributes } from '@opentelemetry/api';
import type { Decision } from '@sluice/core';

/** What a span says about a decision: names of tiers and numbers, and nothing that a client has sent. */
export function decisionAttributes(decision: Decision): Attributes {
  const { allowed, reason, source, degraded, deniedBy, binding, retryAfter, delay } = decision;
  return {
    'sluice.allowed': allowed,
    'sluice.reason': reason,
    'sluice.source': source,
    'sluice.degraded': degraded,
    ...(deniedBy.length > 0 && { 'sluice.denied_by': [...deniedBy] }),
    ...(binding && {
      'sluice.binding.tier': binding.tier,
      'sluice.binding.limit': binding.limit,
      'sluice.binding.remaining': binding.remaining,
    }),
    // A request that never fits has an infinite wait, which OTLP cannot carry as JSON.
    ...(retryAfter > 0 && retryAfter < Infinity && { 'sluice.retry_after': retryAfter / 1e3 }),
    ...(delay > 0 && { 'sluice.delay': delay / 1e3 }),
  };
}
