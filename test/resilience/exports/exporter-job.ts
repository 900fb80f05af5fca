/** What a process exports, and where it dies. */
export interface ExporterJob {
  readonly port: number;
  /** The file of the rows that the sink has stored, a line for each. */
  readonly file: string;
  /** The name of the tier with usage. */
  readonly tier: string;
  /** The step at which it is killed: before each call of Redis, and three times in each batch. */
  readonly dies: number;
}

/** Of a process that was not killed. */
export interface Exported {
  readonly steps: number;
  readonly rows: number;
  readonly problem: string | null;
}
