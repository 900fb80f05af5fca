import type { Limiter } from '@sluice/core';
import type { SharedLimiterOptions } from '@sluice/core/adapter';

/** Limits of a file, in force in this process. */
export interface Policies<S> {
  /**
   * Creates the limiter that the file has under a name. Its tiers change with the file, between two requests, and keep
   * their counts. Once for each name: pass the limiter to all that share it.
   *
   * @param options of `createLimiter`, without those of tiers
   * @throws ConfigError for a name that the file does not have, and for options that a limiter does not have
   * @example app.use(rateLimit({ limiter: policies.limiter('api', { store }) }));
   */
  limiter(name: string, options?: SharedLimiterOptions<S>): Limiter<S>;
  /**
   * Reads the file now, which happens every two seconds anyway.
   *
   * @throws ConfigError, as a rejection, for a file that is refused. The policies in force stay
   * @example process.on('SIGHUP', () => void policies.refresh().catch(log));
   */
  refresh(): Promise<void>;
  /** What is in force, for health checks and metrics. */
  status(): PoliciesStatus;
  /** Ends its timer. Its limiters stay as they are. Close them yourself. */
  close(): void;
}

export interface PoliciesStatus {
  /** Where the policies in force are from. */
  readonly source: 'file' | 'fallback';
  /** SHA-256 of their text, in hexadecimal. */
  readonly sha: string;
  /** When they came into force, in milliseconds since 1970. */
  readonly since: number;
  /** Texts that were refused since the start. */
  readonly rejected: number;
  /** Why the newest text is not in force. Undefined if it is. */
  readonly problem: string | undefined;
}
