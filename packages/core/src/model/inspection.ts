import type { Outcome } from './outcome.js';
import type { Override } from './override.js';
import type { Policy } from './policy.js';
import type { InspectOptions, TierChoice } from './identity.js';

/**
 * What a tier has of a client: what is left, why it admits or denies, and until when. Times are milliseconds since 1970
 * by the clock of the store; of a store of your own by that of this process.
 */
export interface Inspection {
  /** Of the next request. */
  readonly outcome: Outcome;
  /** The newest 20 strings that `record` has returned, newest first. */
  readonly recorded: readonly string[];
  /** Where the store holds the state. Empty for a limit of 0, which has none. */
  readonly key: string;
  /** With the limit of this client. */
  readonly policy: Policy;
  /** False if nothing is used. */
  readonly isStored: boolean;
  /** When the store was read, down to a microsecond. */
  readonly readAt: number;
  /**
   * The first whole millisecond at which the request fits, if nothing else is charged until then: `readAt` if it fits
   * now, `Infinity` if it never fits.
   */
  readonly fitsAt: number;
  /** Set where an override decides instead of the limit of the tier. */
  readonly override?: Override;
  /** The state. Undefined for a limit of 0, and for a store of your own. */
  readonly terms: Terms | undefined;
  /** The denied requests that were told when to come, of a tier with a line. Absent where nobody waits. */
  readonly waiting?: WaitingTerms;
}

/** Denied requests that were told moments of their own. */
export interface WaitingTerms {
  /** What they cost in sum, at the pace of the limit. */
  readonly units: number;
  /** The last of the moments. Milliseconds since 1970 by the clock of the store. */
  readonly endsAt: number;
}

/** A state in the words of its algorithm. Times are milliseconds since 1970 by the clock of the store. */
export type Terms =
  | WindowTerms
  | LogTerms
  | SlotsTerms
  | BucketTerms
  | PermitTerms
  | StrikeTerms
  | PauseTerms
  | BalanceTerms;

/** A fixed window. */
export interface WindowTerms {
  readonly form: 'window';
  readonly units: number;
  /** The time at which the count begins at zero again. It is undefined if no unit is counted. */
  readonly endsAt: number | undefined;
  /** The marks of `notices`, and whether each was reported in this window. Absent without marks. */
  readonly notices?: readonly MarkTerms[];
}

/** A part of a limit at which a tier gives notice. */
export interface MarkTerms {
  readonly mark: number;
  readonly isReported: boolean;
}

/** The times of single units. */
export interface LogTerms {
  readonly form: 'log';
  /** Units of the last window. */
  readonly units: number;
  /** The time at which the oldest unit no longer counts. It is undefined if no unit is counted. */
  readonly oldestLeavesAt: number | undefined;
}

/** Counts in slots, for each window of the policy. */
export interface SlotsTerms {
  readonly form: 'slots';
  /** Longest first. */
  readonly windows: readonly SlotWindowTerms[];
}

/** `oldest` x `share`, rounded up, and `newer` count against `limit`. */
export interface SlotWindowTerms {
  readonly limit: number;
  /** In milliseconds. */
  readonly window: number;
  /** Slots in the window. */
  readonly slots: number;
  /** Units of the slot that the window still covers in part. */
  readonly oldest: number;
  /** The part of the oldest slot that counts, from 0 to 1. */
  readonly share: number;
  /** Units of all later slots. */
  readonly newer: number;
  /** Milliseconds until the cost fits this window. `Infinity` if it never fits. */
  readonly retryAfter: number;
}

/** A bucket: its tokens refill one after the other. Of a queue: places that become free. */
export interface BucketTerms {
  readonly form: 'bucket';
  /** Tokens in it, with the part of the one that is being refilled. Below 0 after an overdraft. */
  readonly tokens: number;
  /** Tokens of a full bucket. */
  readonly capacity: number;
  /** Milliseconds a token. */
  readonly interval: number;
  /** Requests wait for their turn. */
  readonly queued: boolean;
}

/** Units that are held by running requests. */
export interface PermitTerms {
  readonly form: 'permits';
  readonly units: number;
  /** The time at which the first permit lapses unless it is renewed. It is undefined if no permit is held. */
  readonly firstLapsesAt: number | undefined;
  /** The units that each caller holds, the most first. Absent where callers do not share the limit. */
  readonly callers?: readonly number[];
}

/** Strikes of a backoff. */
export interface StrikeTerms {
  readonly form: 'strikes';
  readonly strikes: number;
  /** The time at which the next request is admitted. It is undefined if a request is admitted now. */
  readonly blockedUntil: number | undefined;
  /** The time at which all strikes are forgotten. It is undefined if there is no strike. */
  readonly forgottenAt: number | undefined;
}

/** A pause. */
export interface PauseTerms {
  readonly form: 'pause';
  /** The time at which the pause is over. It is undefined if nothing is paused. */
  readonly until: number | undefined;
}

/** A balance. */
export interface BalanceTerms {
  readonly form: 'balance';
  /** Units that it holds. */
  readonly left: number;
}

/** What an identity has in the tiers of a limiter: `limiter.of(identity)`. */
export interface Budgets {
  /**
   * Like `inspect` of the limiter.
   *
   * @throws UsageError, as a rejection, for a tier whose limit is a function, or that plans give several limits, without
   *   `limit`
   */
  inspect(options?: InspectOptions): Promise<readonly Inspection[]>;
  /** Like `reset` of the limiter. Other processes may deny from their deny cache for up to a minute. */
  reset(options?: TierChoice): Promise<void>;
}
