import type { Store } from '@sluice/core';
import type { OverrideOptions } from '@sluice/policies/overrides';
import { isLimiter, OptionReader } from '@sluice/http/adapter';
import type { Authorize } from './access.js';
import { fleetClient, type FleetClient } from './fleet.js';

export interface DashboardOptions {
  /** The store of the limiters. */
  readonly store: Store;
  /**
   * Decides which requests may see the dashboard. The application answers others as if nothing was mounted. A name that it
   * returns is reported on `sluice:audit`; `true` instead of a function lets everybody in.
   *
   * @default requests with the token that the process prints; where NODE_ENV is production, no request
   */
  readonly authorize?: Authorize;
  /**
   * No identity can be forgotten. `false` needs `authorize`.
   *
   * @default true
   */
  readonly readOnly?: boolean;
  /**
   * Where the page sets and removes the limits of single identities, such as `policies.overrides`, or `overridesOf(limiter)` for
   * this process alone. Needs `readOnly: false`.
   *
   * @default the page shows overrides, and changes none
   */
  readonly overrides?: OverrideDesk;
  /**
   * The page shows all processes that share the Redis of the store, and have this option. They exchange counts and digests
   * while a page is open; else a process sends one GET every two seconds.
   *
   * @default false
   */
  readonly fleet?: boolean;
  /**
   * Monotonic milliseconds, for tests.
   *
   * @default performance.now
   */
  readonly clock?: () => number;
}

/** What changes overrides. An error of Sluice is shown to the person. */
export interface OverrideDesk {
  set(override: OverrideOptions): unknown;
  remove(choice: Pick<OverrideOptions, 'tier' | 'identity' | 'partition'>): unknown;
}

export interface CheckedOptions {
  readonly store: Store;
  readonly authorize: Authorize | undefined;
  readonly readOnly: boolean;
  readonly overrides: OverrideDesk | undefined;
  /** With `fleet`. */
  readonly client: FleetClient | undefined;
  readonly clock: () => number;
}

const OPTIONS: readonly (keyof DashboardOptions)[] = ['store', 'authorize', 'readOnly', 'overrides', 'fleet', 'clock'];

/** @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN */
export function checkedOptions(options: DashboardOptions): CheckedOptions {
  const reader = new OptionReader('createDashboard', Object(options) as object, OPTIONS);
  const {
    store,
    authorize,
    readOnly,
    overrides,
    fleet,
    clock = () => performance.now(),
  } = Object(options) as DashboardOptions;
  if (typeof (store as Partial<Store> | undefined)?.consume !== 'function') {
    throw reader.fail('OPTION_INVALID', 'store', 'must be the store of the limiters, such as redisStore({ url })');
  }
  if (isLimiter(store)) {
    const rule = 'must be a store, not a limiter: write createLimiter({ store, … }) and createDashboard({ store })';
    throw reader.fail('OPTION_INVALID', 'store', rule);
  }
  if (authorize !== true) reader.function('authorize', authorize);
  for (const [name, value = false] of Object.entries({ readOnly, fleet })) {
    if (typeof value !== 'boolean') throw reader.fail('OPTION_INVALID', name, 'must be true or false');
  }
  if (readOnly === false && authorize === undefined) {
    const remedy = 'pass authorize: (request) => the name of the person that may forget clients';
    throw reader.fail('OPTION_INVALID', 'readOnly', `can be false only with authorize: ${remedy}`);
  }
  if (overrides !== undefined) checkDesk(reader, overrides, readOnly);
  const client = fleet ? fleetClient(store) : undefined;
  if (fleet && client === undefined) {
    throw reader.fail('OPTION_INVALID', 'fleet', 'needs a store in Redis, with a client of ioredis');
  }
  return { store, authorize, readOnly: readOnly ?? true, overrides, client, clock };
}

/** @throws ConfigError OPTION_INVALID */
function checkDesk(reader: OptionReader, overrides: Partial<OverrideDesk>, readOnly: boolean | undefined): void {
  if (typeof overrides.set !== 'function' || typeof overrides.remove !== 'function') {
    throw reader.fail('OPTION_INVALID', 'overrides', 'must have set and remove, such as overridesOf(limiter)');
  }
  if (readOnly === false) return;
  throw reader.fail('OPTION_INVALID', 'overrides', 'needs readOnly: false, because a person changes limits with it');
}
