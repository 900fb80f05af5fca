export * from './app/index.js';
export { definePolicy, type PolicyOptions } from './algorithms/policy-options.js';
export type { BackoffOptions } from './algorithms/backoff/backoff.js';
export type { ConcurrencyOptions } from './algorithms/concurrency/concurrency.js';
export type { FixedWindowOptions } from './algorithms/fixed-window/fixed-window.js';
export type { LeakyBucketOptions } from './algorithms/leaky-bucket/leaky-bucket.js';
export type { MultiWindowOptions } from './algorithms/multi-window/multi-window.js';
export type { PauseOptions } from './algorithms/pause/pause.js';
export type { SlidingWindowLogOptions } from './algorithms/sliding-window-log/sliding-window-log.js';
export type { SlidingWindowOptions } from './algorithms/sliding-window/sliding-window.js';
export type { TokenBucketOptions } from './algorithms/token-bucket/token-bucket.js';
export type {
  BreakerEvent,
  ChargeEvent,
  ConfigFaultEvent,
  DecisionEvent,
  DegradedEvent,
  LateReplyEvent,
  LeaseEvent,
  ListedEvent,
  PermitLapsedEvent,
  RefundEvent,
  StoreCallEvent,
} from './events/events.js';
export type { CallTrace, ConsumeTrace } from './events/traces.js';
export type { Admission, Admitted, Denial, Ended } from './http/gate/admission.js';
export type { AddressList } from './http/gate/address-rules.js';
export type { AddOptions, ListedNetwork } from './lists/ip-list-interface.js';
export type { Body } from './http/problem/body.js';
export type { HeaderFormat } from './http/headers/header-formats.js';
export { createGate, type Gate, type GateFramework } from './http/gate/gate.js';
export type { GatedLimiterOptions, GateOptions, GateTiers } from './http/gate/gate-options.js';
export type { GateResponse } from './http/response.js';
export { trustProxy, type ClientAddress } from './http/trust-proxy.js';
export type { WebAdmission, WebAdmitted, WebDenial } from './http/web/web-admission.js';
export { createWebGate, type OnWebDenied, type WebGate, type WebGateOptions } from './http/web/web-gate.js';
export type { WebClient, WebRequest } from './http/web/web-request.js';
export type { ApiKeyOptions } from './http/keys/api-key.js';
export type { Otherwise } from './http/keys/otherwise.js';
export type { IpOptions } from './http/keys/ip.js';
export type { JwtSubjectOptions } from './http/keys/jwt-subject.js';
export type { ProxyTrust } from './http/gate/proxy-check.js';
export type { KeyBounds, KeyFunction } from './limiter/key-function.js';
export type { SharedLimiterOptions } from './limiter/limiter-options.js';
export type { ConsumeOptions, CostOptions } from './limiter/arguments.js';
export type { Track } from './limiter/decisions/tiered-decision.js';
export { tracksOf } from './limiter/decisions/tracks-of.js';
export { limitersOf, type LimiterView, type TierView } from './stores/limiters-of.js';
export type { TierFunction, TierReader, Tiers } from './limiter/tiers/plans.js';
export type { Limit, TierKey, TierOptions, TierPolicy } from './limiter/tiers/tier.js';
export type { Claim } from './model/claim.js';
export type { Source } from './model/decision.js';
export type { ErrorCode } from './model/errors.js';
export type { Budgets } from './model/budgets.js';
export type { IdentityOptions, InspectOptions, TierChoice } from './model/identity.js';
export type {
  BucketTerms,
  Inspection,
  LogTerms,
  PauseTerms,
  PermitTerms,
  SlotsTerms,
  StrikeTerms,
  SlotWindowTerms,
  Terms,
  WindowTerms,
} from './model/inspection.js';
export type { MaybePromise } from './async/maybe-promise.js';
export type { HeldPolicy } from './model/held-policy.js';
export type { StopSignal } from './model/stop-signal.js';
export type { AlgorithmName, Policy } from './model/policy.js';
export type { Receipt } from './model/receipt.js';
export type { MemoryStore, MemoryStoreOptions } from './stores/memory/memory-store.js';
export { statsOf } from './stores/stats-of.js';
export type { BreakerStats, CountingStore, KeyStats, StoreStats } from './stores/store-stats.js';
export type { Answer } from './stores/store.js';
