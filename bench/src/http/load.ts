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

/** Sends a server as many requests as it can answer, from a process of its own. */
export interface LoadGenerator {
  /** Its name and version. */
  readonly name: string;
  run(url: string, milliseconds: number): Promise<Load>;
  /** Sends so many requests, and returns how many were answered a second. */
  send(url: string, requests: number): Promise<Pick<Load, 'answered' | 'refused' | 'seconds'>>;
  end(): Promise<void>;
}
