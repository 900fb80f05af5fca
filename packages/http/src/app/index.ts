// app/ is what each adapter re-exports: what a program that limits requests needs of core and of this package. Nothing
// enters but names. It imports the rooms that it re-exports.
export {
  ConfigError,
  CoolDown,
  SluiceError,
  StoreError,
  UsageError,
  cached,
  createLimiter,
  extend,
  isSluiceError,
  llmTiers,
  memoryStore,
  meter,
  refund,
  release,
  run,
  settle,
  subscribe,
  type Budgets,
  type CachedOptions,
  type Closing,
  type Costs,
  type Decision,
  type Duration,
  type Extension,
  type Fair,
  type Identity,
  type Inspection,
  type Key,
  type KeyBounds,
  type KeyFunction,
  type Limiter,
  type LimiterOptions,
  type LlmTiersOptions,
  type MaybePromise,
  type MemoryStore,
  type MemoryStoreOptions,
  type Meter,
  type MeterOptions,
  type Notice,
  type OnStoreFailure,
  type Outcome,
  type Policy,
  type PreparedTiers,
  type Ran,
  type RemoteLimiter,
  type RunOptions,
  type SluiceEvents,
  type Store,
  type Terms,
  type Tier,
  type TierFunction,
  type TierReader,
} from '@sluice/core';
export type { Denied, GateTier } from '../gate/gate-options.js';
export { releaseOnClose } from '../gate/release-on-close.js';
export type { IpList } from '../networks/ip-list-interface.js';
export { byApiKey } from '../keys/api-key.js';
export { by } from '../keys/by.js';
export { byTarget, type TargetOptions } from '../keys/by-target.js';
export { compose } from '../keys/compose.js';
export { byHeader } from '../keys/header.js';
export { byIp } from '../keys/ip.js';
export { byJwtSubject } from '../keys/jwt-subject.js';
export { bySession } from '../keys/session.js';
export { openAiBody, type OpenAiError } from '../problem/open-ai-body.js';
export type { Problem } from '../problem/problem.js';
export { loginTiers, type LoginTiersOptions } from '../sign-in/login-tiers.js';
export { needsChallenge, signedIn } from '../sign-in/signed-in.js';
export type { HttpRequest } from '../request/request.js';
