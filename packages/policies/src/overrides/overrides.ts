import type { IdentityDigest, Key, Override } from '@sluice/core/internal';

/** A limit for one identity, as `set` takes it. */
export interface OverrideOptions {
  /** The name of a tier of the limiter. */
  tier: string;
  /** What the key function of the tier returns for it: `byIp()({ ip })`, `'account-7'`; or its digest. */
  identity: Key | IdentityDigest;
  /** The identity of its partition, for a limiter with `partition`. */
  partition?: Key | IdentityDigest | undefined;
  /**
   * Units instead of the limit of the tier. A `burst` or `queue` grows in proportion. 0 means never, null means that the tier
   * does not apply.
   *
   * @example limit: 50_000
   */
  limit: number | null;
  /**
   * When it ends, by the wall clock of each process: a Date, milliseconds since 1970, or a text such as `'2027-01-31T12:00:00Z'`. A text
   * without a time, `'2027-01-31'`, is the end of that day in UTC.
   *
   * @default it stays until it is removed
   */
  until?: Date | number | string | undefined;
  /** Why, for operators: 1 to 200 characters. */
  reason: string;
  /** Who gives it, for operators: 1 to 100 characters. */
  by?: string | undefined;
}

/** Changes of several overrides together. */
export interface OverrideChanges {
  /** One that has ended is taken, and never applies. */
  readonly set: readonly OverrideOptions[];
  readonly remove: readonly Pick<OverrideOptions, 'tier' | 'identity' | 'partition'>[];
}

/** The overrides of a limiter: limits of single identities in this process, at most 10 000. They change between two checks. */
export interface Overrides {
  /**
   * Adds an override, or replaces that of the same tier and identity.
   *
   * @throws ConfigError that names the option and the rule
   * @example
   * overridesOf(limiter).set({
   *   tier: 'hour',
   *   identity: 'account-7',
   *   limit: 50_000,
   *   until: '2027-01-31',
   *   reason: 'ticket 4711',
   * });
   */
  set(override: OverrideOptions): Override;
  /**
   * The override that `replace` would put in force. It changes nothing: for what is stored before it is in force.
   *
   * @throws ConfigError
   */
  check(override: OverrideOptions): Override;
  /** Ends the override of an identity. @returns false without one */
  remove(choice: Pick<OverrideOptions, 'tier' | 'identity' | 'partition'>): boolean;
  /**
   * Replaces all overrides, all or none: for lists that another process has written. One that has ended is taken, and never
   * applies.
   *
   * @throws ConfigError
   */
  replace(overrides: readonly OverrideOptions[]): void;
  /**
   * Sets some, and ends some, all or none: for changes that another process has written. Only these are checked.
   *
   * @throws ConfigError
   */
  change(changes: OverrideChanges): void;
  /** Those in force, in the order in which they were set. */
  list(): readonly Override[];
}
