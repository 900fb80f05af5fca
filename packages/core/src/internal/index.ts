// internal/ is what the other packages of Sluice share with @sluice/core. It changes without notice, so programs import
// the other entries. It re-exports all rooms but scripts, and no room imports it.
export { algorithmOf, type Algorithm, type GroupRule, type ImportedAlgorithm } from '../algorithms/algorithm.js';
export { algorithmNamed, algorithms } from '../algorithms/named/algorithms.js';
export { beside, type Beside, type BesideCandidate, isNoted } from '../algorithms/beside.js';
export type { Candidate } from '../algorithms/candidate.js';
export { isCounted } from '../algorithms/counting.js';
export { coveredBy, impossibleIn, type Covering } from '../model/covering.js';
export type { Acting } from '../algorithms/acting.js';
export type { Emitter } from '../algorithms/emitter.js';
export { type Kernel } from '../algorithms/kernel.js';
export { FIRST_DAYS } from '../algorithms/fixed-window/calendar-options.js';
export { fixedWindow } from '../algorithms/fixed-window/fixed-window.js';
export type { Notices, NoticesValue, FixedWindowPolicy, Window } from '../algorithms/fixed-window/window-policy.js';
export { candidate, consumeGroup, peekGroup } from '../algorithms/group.js';
export type { LeakyBucketPolicy } from '../algorithms/leaky-bucket/leaky-bucket.js';
export { givesNotice, noticing, reachedIn, type Noticing } from '../algorithms/noticing.js';
export { definePolicy, type PolicyOptions } from '../algorithms/named/policy-options.js';
export { WINDOW_OPTIONS } from '../algorithms/multi-window/multi-window.js';
export { algorithmKeys, stateKeys } from '../algorithms/named/state-keys.js';
export { wishing } from '../algorithms/wishing.js';
export { Deferred, chain, isPromise } from '../async/deferred.js';
export type { MaybePromise } from '../async/maybe-promise.js';
export { BoundedCache } from '../cache/bounded-cache.js';
export { detachedCopy } from '../cache/detached-copy.js';
export { RowIndex } from '../cache/row-index.js';
export { channels } from '../events/channels.js';
export { eventChannel } from '../events/event-channel.js';
export {
  subscribe,
  type AuditEvent,
  type DecisionEvent,
  type DegradedEvent,
  type LateReplyEvent,
  type LeaseEvent,
  type Notice,
  type StoreCallEvent,
} from '../events/events.js';
export { type FindAct, reportAct, seekAct, storeActs } from '../events/report-act.js';
export { PerRequestCheck } from '../events/per-request-check.js';
export { traces, type CallTrace, type ConsumeTrace } from '../events/traces.js';
export { warn, warnAgain } from '../events/warning.js';
export type { ConsumeOptions } from '../limiter/tiers/arguments.js';
export { callUserFunction } from '../limiter/tiers/call-user-function.js';
export type { AskedClaims, ClaimChange, TierChange } from '../limiter/claims/claim-change.js';
export type { ChangedClaims, ClaimSet, Peek } from '../limiter/claims/claim-set.js';
export { claimSetOf } from '../limiter/claims/claims-of-values.js';
export { invalidResult } from '../limiter/tiers/invalid-result.js';
export { KeyedIdentity } from '../limiter/keys/stored-identity.js';
export { digestIn, digestOf, identityText, keyShape, ownerText } from '../limiter/keys/store-keys.js';
export type { TierValues } from '../limiter/claims/tier-values.js';
export { bindingOf, isSilent } from '../limiter/decisions/binding.js';
export { carriedOf, type CarriedCharge } from '../limiter/decisions/carried-charge.js';
export { CarriedCorrections } from '../limiter/decisions/carried-corrections.js';
export { handOver, watch } from '../limiter/decisions/watch.js';
export { release, settle } from '../limiter/decision-functions.js';
export { listed } from '../limiter/decisions/stock-decisions.js';
export { TieredDecision, undecided } from '../limiter/decisions/tiered-decision.js';
export { tracksOf, type Track } from '../limiter/decisions/tracks-of.js';
export type { KeyFunction } from '../limiter/keys/key-function.js';
export { deciderOf, digesterOf, factsOf, mayHold, type Decider } from '../limiter/known-facts.js';
export {
  SEVERAL,
  type KnownPlans,
  type LimiterOptions,
  type SharedLimiterOptions,
} from '../limiter/limiter-options.js';
export { limiterBehind, limitersOf } from '../limiter/limiter-view.js';
export { createLimiterIn, type Limiter } from '../limiter/limiter.js';
export type { OnNotice, TierFeature } from '../limiter/tiers/tier-feature.js';
export type { Requests } from '../limiter/requests.js';
export type { TieredLimiter } from '../limiter/tiered-limiter.js';
export type { Fair, FairValue } from '../limiter/tiers/fair.js';
export type { PolicyValue } from '../limiter/tiers/policy-value.js';
export type { TierFunction, TierReader } from '../limiter/tiers/plans.js';
export { LEASE_ROWS } from '../limiter/tiers/lease-options.js';
export { isInStage, stageOf } from '../limiter/tiers/stage.js';
export type { SubjectOption } from '../limiter/tiers/subject-option.js';
export type { TierContext } from '../limiter/tiers/tier-context.js';
export type { TierDefinition } from '../limiter/tiers/tier-definition.js';
export type { NameOf, Tier, TierKey, TierOptions, TierPolicy } from '../limiter/tiers/tier.js';
export { TIER_ROWS } from '../limiter/tiers/tier-rows.js';
export { tiersByName } from '../limiter/tiers/tiers-by-name.js';
export { RATE_FACTS } from '../model/algorithm-facts.js';
export { changedClaim, changedTerms, chargedFor, chargingOf, claimNotes } from '../model/claim.js';
export type { Claim, OnStoreFailure } from '../model/claim.js';
export { companion } from '../model/companion.js';
export type { ActValues, KeyAct } from '../model/key-act.js';
export type { Decision, Source } from '../model/decision.js';
export { formatDuration, parseDuration, type Duration } from '../model/duration.js';
export { ConfigError, StoreError, UsageError, isSluiceError, type ErrorCode } from '../model/errors.js';
export { measure, onMeasures, type Counting, type Fact, type Measures } from '../measures/measures.js';
export type { AttributeDefinition, AttributeValues, Instrument, Numbers, Recorder } from '../measures/measures.js';
export { FEATURE, isFeatureValue, type Feature, type FeatureValue, type TierValue } from '../model/feature.js';
export type { Holder } from '../model/holder.js';
export { IdentityDigest } from '../model/identity-digest.js';
export type { Identity, IdentityOptions, InspectOptions, Key, TierChoice } from '../model/identity.js';
export type { BucketTerms, Inspection, MarkTerms, SlotWindowTerms, WaitingTerms } from '../model/inspection.js';
export { keyFactory } from '../model/key-factory.js';
export { KEY_LOSSES, type KeyKind, type KeyLoss } from '../model/key-kind.js';
export { lateMarks, type Mark, type OnReached, type ReachedMark } from '../model/notice.js';
export { denies, isAdmitted, type Outcome } from '../model/outcome.js';
export { type AppointedProblem, type Brought, isAppointed } from '../model/appointment.js';
export { addedIn, type Reporting, type ToldDenial, toldOf } from '../model/reporting.js';
export type { Override } from '../model/override.js';
export { REQUESTS, ofFunctions, policyText, samePolicy, type LimitedWindow, type Policy } from '../model/policy.js';
export { processWide } from '../model/process-wide.js';
export { endsWithRequest, type Receipt, undoOf } from '../model/receipt.js';
export { referencePage } from '../model/reference-page.js';
export { NEVER, type Ruling } from '../model/ruling.js';
export type { StopSignal } from '../model/patience.js';
export { HOUR_MS, KEPT_HOURS, endOf, hourOf, type UsageExportStatus } from '../model/usage.js';
export { checkCallOptions, durationArgument } from '../options/call-options.js';
export { distance } from '../options/distance.js';
export type { DurationRange } from '../options/duration-rule.js';
export { withErrorContext } from '../options/error-context.js';
export { isLine, LINE } from '../options/line.js';
export { OptionReader, checkObject, readOptions } from '../options/option-reader.js';
export {
  ANY,
  FLAG,
  FUNCTION,
  type OptionRow,
  type OptionRows,
  type CombinationRule,
  withoutMeaning,
} from '../options/option-row.js';
export { kindOf, kindOfError, show } from '../options/show.js';
export { peerOption } from '../options/peer-options.js';
export { outcomesOf, receiptsOf } from '../stores/answer.js';
export { besideKeys } from '../stores/beside-keys.js';
export { closing } from '../stores/closing.js';
export { DEFAULT_PREFIX, setKeyspace } from '../stores/keyspace.js';
export { isLimiterOf, type LimiterView, type TierView } from '../stores/limiters-of.js';
export type { Labels, Layer, RequestFacts } from '../stores/layer.js';
export { runningReceipts, statsOf } from '../stores/composed/compose.js';
export { StoreViews, usageExports } from '../stores/store-views.js';
export type { BreakerStats, KeyStats, StoreStats } from '../stores/store-stats.js';
export {
  NO_POSITION,
  type AbleStore,
  type CountingStore,
  type LegibleStore,
  type ListChange,
  type ListChanged,
  type ListPage,
  type ListPosition,
  type ListStore,
  type LostItems,
  type PendingCheck,
  type Reading,
  type ServerLink,
  type Store,
  type StoreAbilities,
  type StateKey,
  type StoreLayers,
  type StoredItem,
} from '../stores/store.js';
export { withReached, type Answer, type ChargeVisitor } from '../model/answer.js';
export { earlierUsageKey, isAmbiguousName, openKey, usageKey, usageOwner } from '../stores/usage-key.js';
export type {
  ExportLock,
  LockChange,
  MarkedUnits,
  OpenHour,
  OpenUsage,
  OpenUsagePage,
  UsageLedger,
  UsageStore,
  WatchedStore,
} from '../stores/usage-ledger.js';
export { registerWire, type Wire, wireOf } from '../stores/wires.js';
export { type PermitPolicy, permitUnits, type Permits, type SharedLimit } from '../stores/with-permits/permits.js';
export { listenOnce } from '../async/listen-once.js';
export { NumberedQueue } from '../waiting/numbered-queue.js';
export type { Order } from '../waiting/order.js';
export type { Place } from '../waiting/place.js';
export { sleep } from '../waiting/sleep.js';
export type { Checked, Turn } from '../waiting/work.js';
