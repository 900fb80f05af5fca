export interface UsageExportStatus {
  /**
   * Milliseconds that the oldest units wait to be exported, by any process: since their hour has ended, or since the last export
   * that has left none. It grows while nothing is exported. Undefined before the first run.
   */
  readonly age: number | undefined;
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

/** When an hour ends, in milliseconds since 1970. */
export function endOf(hour: number): number {
  return (hour + 1) * HOUR_MS;
}
