// @sluice/core decides limits for any program: tiers, their algorithms, and the store in memory. An application enters
// with `createLimiter`, and calls `consume` for each request. It imports no other package of Sluice; its rooms import
// down, in the order of `.dependency-cruiser.mjs`.
export type { EventChannel } from './events/event-channel.js';
export { subscribe, type Notice, type SluiceEvents } from './events/events.js';
export type { Extension } from './limiter/decisions/extension.js';
export type { Closing, Meter, MeterOptions } from './limiter/decisions/meter.js';
export { extend, meter, refund, release, settle } from './limiter/decision-functions.js';
export type { Costs } from './limiter/decisions/settlement.js';
export { cached, type CachedOptions } from './limiter/cached.js';
export type { LimiterOptions } from './limiter/limiter-options.js';
export { CoolDown } from './limiter/cool-down.js';
export { run, type Ran, type RunOptions } from './limiter/run.js';
export { createLimiter, type Limiter, type RemoteLimiter } from './limiter/limiter.js';
export type { Fair } from './limiter/tiers/fair.js';
export { llmTiers, type LlmTiersOptions } from './limiter/tiers/llm-tiers.js';
export type { Tier, TierPolicy } from './limiter/tiers/tier.js';
export type { Decision, Source } from './model/decision.js';
export type { Duration } from './model/duration.js';
export { ConfigError, SluiceError, StoreError, UsageError, isSluiceError, type ErrorCode } from './model/errors.js';
export type { Identity, Key } from './model/identity.js';
export type { OnStoreFailure } from './model/claim.js';
export type { Outcome } from './model/outcome.js';
export { memoryStore, type MemoryStore, type MemoryStoreOptions } from './stores/memory/memory-store.js';
export type { Store } from './stores/store.js';
export type { MaybePromise } from './async/maybe-promise.js';
export type { KeyBounds, KeyFunction } from './limiter/keys/key-function.js';
export type { PreparedTiers } from './limiter/prepared-tiers.js';
export type { TierFunction, TierReader } from './limiter/tiers/plans.js';
export type { Budgets, Inspection, Terms } from './model/inspection.js';
export type { Policy } from './model/policy.js';
export { definePolicy, type PolicyOptions } from './algorithms/named/policy-options.js';
export type { ConsumeOptions } from './limiter/tiers/arguments.js';
export { tracksOf, type Track } from './limiter/decisions/tracks-of.js';
export { limitersOf } from './limiter/limiter-view.js';
export type { LimiterView, TierView } from './stores/limiters-of.js';
export { statsOf } from './stores/composed/compose.js';
export type { StoreStats } from './stores/store-stats.js';
