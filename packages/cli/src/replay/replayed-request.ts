import type { AnyTier } from '../limits/any-tier.js';
import type { LoggedRequest } from '../logs/logged-request.js';
import type { Client } from './client.js';

/** A request of a log with its client: what functions of tiers get. */
export interface ReplayedRequest extends LoggedRequest {
  /** As `--key` identifies it. */
  client: Client;
  /** What it costs. */
  units: number;
}

export type ReplayTier = AnyTier<ReplayedRequest>;
