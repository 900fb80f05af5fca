import type { TierChoice } from './identity.js';

/** Units of one hour. */
export interface HourOfUsage {
  /** When the hour begins, in milliseconds since 1970. */
  readonly from: number;
  readonly units: number;
}

/** What a client has used of a tier with `usage`. */
export interface TierUsage {
  /** The name of the tier. */
  readonly tier: string;
  /** The sum of the hours. */
  readonly units: number;
  /** Those with units, in their order. */
  readonly hours: readonly HourOfUsage[];
}

/** Which usage to read. */
export interface UsageOptions extends TierChoice {
  /** Hours that end after it: a Date, or milliseconds since 1970. @default all that the store keeps */
  from?: Date | number | undefined;
  /** Hours that begin before it: a Date, or milliseconds since 1970. @default now */
  to?: Date | number | undefined;
}

export interface UsageExportStatus {
  /**
   * When the last export began that has left no row due, here or in another process: in milliseconds since 1970, as this
   * process has learnt in its last run. Before the first one it is the time of creation.
   */
  readonly completedAt: number;
  /** Rows that the sink has taken in this process. */
  readonly rows: number;
  /** Why the last run has left rows due. Undefined if it has left none. */
  readonly problem: string | undefined;
}

export const HOUR_MS = 3_600_000;

/** Hours of usage that a store keeps: this month and the one before. `usage.lua` has the same. */
export const KEPT_HOURS = 62 * 24;

/** The hour of a time, since 1970. @param time microseconds */
export function hourOf(time: number): number {
  return Math.floor(time / 1e3 / HOUR_MS);
}
