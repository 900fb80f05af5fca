import type { Store } from '@sluice/core';
import type { ActOptions, RemovalOptions } from '@sluice/policies';
import type { Override, OverrideOptions } from '@sluice/policies/overrides';
import { ANY, FUNCTION, isLimiter, OptionReader, type OptionRows } from '@sluice/http/adapter';
import type { Authorize } from './access.js';
import { readTokens, type AccessToken, type AccessTokens } from './access-tokens.js';
import { fleetClient, type FleetClient } from './fleet.js';
import { SUPPORT_ROWS, type ReadBounds, type SupportBounds } from './support-bounds.js';

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
   * Tokens with a role each, for the HTTP API and for people without a user of the application: see the guide *Support desk*. They
   * are looked at before `authorize`.
   *
   * @default none
   * @example tokens: [{ name: 'desk', role: 'support', sha256: process.env.DESK_TOKEN_SHA256 }]
   */
  readonly tokens?: readonly AccessToken[];
  /**
   * How far the role `support` may go: for how long another limit lasts, how large it is, and the units of a credit.
   *
   * @default { lasts: '90d', times: 10, units: 1_000_000 }
   */
  readonly support?: SupportBounds;
  /**
   * Nobody can change anything. `false` needs `authorize` or `tokens`.
   *
   * @default false with tokens, else true
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
  set(override: OverrideOptions, about?: ActOptions): unknown;
  remove(choice: Pick<OverrideOptions, 'tier' | 'identity' | 'partition'>, about?: RemovalOptions): unknown;
  list?(): readonly Override[];
  /** Names the policies in Redis that it changes. @default limits */
  readonly name?: string;
  /** It reports changes with an author itself. @default the dashboard does */
  readonly isAudited?: boolean;
}

export interface CheckedOptions {
  readonly store: Store;
  readonly authorize: Authorize | undefined;
  readonly tokens: AccessTokens | undefined;
  readonly readOnly: boolean;
  readonly overrides: OverrideDesk | undefined;
  readonly support: ReadBounds;
  /** With `fleet`. */
  readonly client: FleetClient | undefined;
  readonly clock: () => number;
}

export const DASHBOARD_ROWS = {
  store: { is: isStore, words: 'the store of the limiters, such as redisStore({ url })', required: true },
  authorize: { is: (authorize) => authorize === true || typeof authorize === 'function', words: 'a function' },
  tokens: ANY,
  support: {
    is: (support) => typeof support === 'object' && support !== null,
    words: "an object such as { lasts: '30d' }",
  },
  readOnly: { oneOf: [true, false] },
  overrides: { is: isDesk, words: 'what overridesOf(limiter) returns, with set and remove' },
  fleet: { oneOf: [true, false] },
  clock: FUNCTION,
} as const satisfies OptionRows;

/** @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN */
export function checkedOptions(options: DashboardOptions): CheckedOptions {
  const reader = new OptionReader('createDashboard', Object(options) as object, DASHBOARD_ROWS);
  const { readOnly = options.tokens === undefined, fleet } = reader.read(DASHBOARD_ROWS);
  const { store, authorize, overrides, clock = () => performance.now() } = options;
  const tokens = options.tokens === undefined ? undefined : readTokens(options.tokens);
  if (!readOnly && authorize === undefined && tokens === undefined) {
    const remedy = 'pass authorize: (request) => the name of the person that may forget clients';
    throw reader.fail('OPTION_INVALID', 'readOnly', `can be false only with authorize or tokens: ${remedy}`);
  }
  if (overrides !== undefined && readOnly) {
    throw reader.fail('OPTION_INVALID', 'overrides', 'needs readOnly: false, because a person changes limits with it');
  }
  const support = reader.within('support', SUPPORT_ROWS).read(SUPPORT_ROWS);
  const client = fleet ? fleetClient(store) : undefined;
  if (fleet && client === undefined) {
    throw reader.fail('OPTION_INVALID', 'fleet', 'needs a store in Redis, with a client of ioredis');
  }
  return { store, authorize, tokens, readOnly, overrides, support, client, clock };
}

function isStore(store: unknown): boolean | string {
  if (!isLimiter(store)) return typeof (store as Partial<Store> | null)?.consume === 'function';
  return 'must be a store, not a limiter: write createLimiter({ store, … }) and createDashboard({ store })';
}

function isDesk(overrides: unknown): boolean {
  const { set, remove } = Object(overrides) as Partial<OverrideDesk>;
  return typeof set === 'function' && typeof remove === 'function';
}
