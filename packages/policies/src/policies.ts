import type { Limiter } from '@sluice/core';
import type { Override, OverrideOptions } from './overrides/index.js';
import type { SharedLimiterOptions } from '@sluice/http/adapter';

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
  /** Limits of single identities: the one door, also for `createDashboard({ overrides: policies.overrides })`. */
  readonly overrides: PolicyOverrides;
  /**
   * Reads the file now, which happens every two seconds anyway, and Redis.
   *
   * @throws ConfigError, as a rejection, for a file that is refused. The policies in force stay
   * @example process.on('SIGHUP', () => void policies.refresh().catch(log));
   */
  refresh(): Promise<void>;
  /** What is in force, for health checks and metrics. */
  status(): PoliciesStatus;
  /** Ends its timers. Its limiters stay as they are. Close them yourself. */
  close(): void;
}

/** Whose override is to end. */
export type OverrideChoice = Pick<OverrideOptions, 'tier' | 'identity' | 'partition'>;

/** How a change is recorded, beside its author. */
export interface ActOptions {
  /** Names the change: 1 to 64 of `A-Z`, `a-z`, `0-9`, `_`, `.`, `:` and `-`. A repetition changes nothing. @default a random one */
  readonly id?: string | undefined;
  /** What it is called: `pause` and `release` for a limit of 0. @default 'override' or 'end-override' */
  readonly operation?: 'override' | 'end-override' | 'pause' | 'release' | undefined;
  /**
   * What the limit and the end were counted from, where a repetition counts them anew: units above the limit of the tier, of a plan,
   * and milliseconds from now. The act has it beside the limit and the end.
   *
   * @default limit and end are the same in a repetition
   */
  readonly asked?: { readonly more?: number; readonly plan?: string; readonly lasts?: number } | undefined;
  /**
   * Is called with the override in force, which the change would replace. It throws to refuse that. Redis makes the change only while it
   * has that override. A repetition is not asked.
   */
  readonly replacing?: ((held: Override | undefined) => void) | undefined;
}

export interface RemovalOptions extends ActOptions {
  /** Who ends it, for operators: 1 to 100 characters. */
  readonly by?: string | undefined;
  /** Why, for operators: 1 to 200 characters. @default 'removed' */
  readonly reason?: string | undefined;
}

/** Limits of single identities. The process needs no limiter of their tiers. */
export interface PolicyOverrides {
  /** With `fleet` changes that have an author, `by`, are in `auditLog(store)`. */
  readonly isAudited: boolean;
  /**
   * Gives one identity another limit. With `fleet` all processes have it within six seconds, else this one alone has it, until
   * it ends.
   *
   * @throws ConfigError, as a rejection, that names the option and the rule
   * @throws StoreError, as a rejection, while Redis is away: then it may be stored or not, and a repetition does no harm
   * @example
   * await policies.overrides.set({
   *   tier: 'hour',
   *   identity: 'account-7',
   *   limit: 50_000,
   *   until: '2027-01-31',
   *   reason: 'ticket 4711',
   *   by: 'ada',
   * });
   */
  set(override: OverrideOptions, about?: ActOptions): Promise<Override>;
  /**
   * Ends the override of an identity that `set` or `sluice policies override` has set. One of the file stays.
   *
   * @returns false without one
   * @throws as `set`, and UsageError for an id that names another change of the identity
   */
  remove(choice: OverrideChoice, about?: RemovalOptions): Promise<boolean>;
  /** Those in force in this process, also those of the file; of limiters that it does not have, those of operators. */
  list(): readonly Override[];
}

export interface PoliciesStatus {
  /** Where the policies in force are from. */
  readonly source: 'file' | 'fallback' | 'redis';
  /** The version in Redis. Undefined for those of a file. */
  readonly version: number | undefined;
  /** SHA-256 of their text, in hexadecimal. */
  readonly sha: string;
  /** When they came into force, in milliseconds since 1970. */
  readonly since: number;
  /** When their source was last read, in milliseconds since 1970: Redis with `fleet`, else the file. */
  readonly checkedAt: number;
  /** Texts that were refused since the start. */
  readonly rejected: number;
  /** Why the newest text is not in force. Undefined if it is. */
  readonly problem: string | undefined;
  /** Overrides in force. */
  readonly overrides: number;
}
