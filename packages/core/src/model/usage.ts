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
