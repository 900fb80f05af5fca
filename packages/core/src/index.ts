export { definePolicy, type PolicyOptions } from './algorithms/policy-options.js';
export type { FixedWindowOptions } from './algorithms/fixed-window/fixed-window.js';
export type { LeakyBucketOptions } from './algorithms/leaky-bucket/leaky-bucket.js';
export type { MultiWindowOptions } from './algorithms/multi-window/multi-window.js';
export type { SlidingWindowLogOptions } from './algorithms/sliding-window-log/sliding-window-log.js';
export type { SlidingWindowOptions } from './algorithms/sliding-window/sliding-window.js';
export type { TokenBucketOptions } from './algorithms/token-bucket/token-bucket.js';
export {
  subscribe,
  type BreakerEvent,
  type ConfigFaultEvent,
  type DecisionEvent,
  type DegradedEvent,
  type LateReplyEvent,
  type SluiceEvents,
  type StoreCallEvent,
} from './events/events.js';
export type { Admission, Admitted, Denial, Ended } from './http/gate/admission.js';
export type { Body } from './http/problem/body.js';
export type { HeaderFormat } from './http/headers/header-format.js';
export { createGate, type Gate } from './http/gate/gate.js';
export {
  type Denied,
  type GatedLimiterOptions,
  type GateOptions,
  type GateTier,
  type GateTiers,
} from './http/gate/gate-options.js';
export type { GateResponse } from './http/response.js';
export { byApiKey, type ApiKeyOptions } from './http/keys/api-key.js';
export { by, type Otherwise } from './http/keys/by.js';
export { compose } from './http/keys/compose.js';
export { byHeader } from './http/keys/header.js';
export { byIp, type IpOptions } from './http/keys/ip.js';
export { byJwtSubject, type JwtSubjectOptions } from './http/keys/jwt-subject.js';
export { bySession } from './http/keys/session.js';
export type { Problem } from './http/problem/problem.js';
export type { ProxyTrust } from './http/gate/proxy-check.js';
export type { HttpRequest } from './http/request.js';
export type { KeyBounds, KeyFunction } from './limiter/key-function.js';
export type { LimiterOptions, SharedLimiterOptions } from './limiter/limiter-options.js';
export type { CostOptions, TierChoice } from './limiter/arguments.js';
export { createLimiter, type Limiter } from './limiter/limiter.js';
export type { Inspection } from './limiter/tiered-limiter.js';
export { refund, settle } from './limiter/decisions/refund.js';
export type { Costs } from './limiter/decisions/settlement.js';
export type { Tiers } from './limiter/tiers/plans.js';
export type { Limit, Tier, TierOptions, TierPolicy } from './limiter/tiers/tier.js';
export type { Claim, OnStoreFailure } from './model/claim.js';
export type { Decision, Source } from './model/decision.js';
export type { Duration, DurationUnit } from './model/duration.js';
export { ConfigError, isSluiceError, SluiceError, StoreError, UsageError, type ErrorCode } from './model/errors.js';
export type { Identity, Key } from './model/identity.js';
export type { MaybePromise } from './async/maybe-promise.js';
export type { Outcome } from './model/outcome.js';
export type { AlgorithmName, Policy } from './model/policy.js';
export type { Receipt } from './model/receipt.js';
export { memoryStore, type MemoryStore, type MemoryStoreOptions } from './stores/memory/memory-store.js';
export type { RedisOptions } from './stores/redis/client/redis-options.js';
export type { RedisClient, RedisNode } from './stores/redis/client/redis-client.js';
export { redisStore, type RedisStore, type RedisStoreOptions } from './stores/redis/redis-store.js';
export type { Answer, Store } from './stores/store.js';
