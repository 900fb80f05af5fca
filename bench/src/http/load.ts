/** Requests of 64 connections that were answered in a slice. */
export interface Load {
  readonly answered: number;
  /** Those with another status than 2xx. */
  readonly refused: number;
  readonly seconds: number;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Asks a server for as much as it can answer, from a process of its own. */
export interface LoadGenerator {
  /** What it is called, with its version. */
  readonly name: string;
  run(url: string, milliseconds: number): Promise<Load>;
  end(): Promise<void>;
}
