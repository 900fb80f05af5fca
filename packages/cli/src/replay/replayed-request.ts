import type { AnyTier } from '../limits/any-tier.js';
import type { LoggedRequest } from '../logs/lines/logged-request.js';
import type { Client } from './client.js';

/** A request of a log with its client: what functions of tiers get. */
export interface ReplayedRequest extends LoggedRequest {
  /** As `--key` identifies it. */
  readonly client: Client;
  /** What it costs. */
  readonly units: number;
}

export type ReplayTier = AnyTier<ReplayedRequest>;

/** True for a tier that a function of the request decides. */
export function isByRequest(tier: ReplayTier): boolean {
  return Object.values(tier).some((value) => typeof value === 'function');
}

const BY_WINDOW: readonly unknown[] = [undefined, 'fixed-window', 'sliding-window', 'sliding-window-log'];

/**
 * True for a tier that denies no client with at most half of the limit in each window, and each with more than twice the
 * limit in one. A bucket may hold less than a window, and a month is longer than February.
 */
export function isByWindow(tier: ReplayTier): boolean {
  return BY_WINDOW.includes(tier.algorithm) && !('period' in tier) && !isByRequest(tier);
}

/** Up to this limit `sliding-window` stores the time of each unit. */
export const MAX_LOG_LIMIT = 64;

/** True for a tier whose sliding window has one slot. */
export function isPlainSliding(tier: ReplayTier): boolean {
  const { algorithm = 'sliding-window', precision = 1, strict = false } = tier as Plain;
  return isByWindow(tier) && algorithm === 'sliding-window' && precision === 1 && !strict;
}

interface Plain {
  readonly algorithm?: string;
  readonly precision?: number;
  readonly strict?: boolean;
}
