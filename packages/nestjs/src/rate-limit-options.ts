import type { GatedLimiterOptions, GateOptions, HttpRequest, SharedLimiterOptions } from '@sluice/core';

/** A request of either platform, as the functions of a limit are given it; more of it by an annotation of your own. */
export interface NestRequest extends HttpRequest {
  readonly url?: string;
  readonly params?: unknown;
  readonly body?: unknown;
}

/** When a limit is checked: by `RateLimitGuard`, or after authentication by `AuthenticatedRateLimitGuard`. */
export type At = (typeof ATS)[number];

export const ATS = ['entry', 'authenticated'] as const;

/**
 * What a limit of a controller or handler is: the options of a limiter and of its gate together, or `{ limiter, ... }`
 * with one that is shared. What it does not say of `store`, `prefix`, `secret`, `partition`, `onStoreFailure`, `share`,
 * `headers` and `body` is the module's. A tier in short form is named by its route.
 */
export type RateLimitOptions<S extends HttpRequest = NestRequest> = GatedLimiterOptions<S> & {
  /** @default 'entry' */
  at?: At;
  /**
   * Stands instead of what stands above, and not besides it: on a controller instead of the module's limits, on a
   * handler instead of the controller's as well. Of this guard only.
   *
   * @default false
   */
  override?: boolean;
};

/**
 * The limits of the module, for all handlers that a guard stands before, and what decorated limits inherit. Without
 * limits of its own, only what is decorated is limited.
 */
export type RateLimitModuleOptions<S extends HttpRequest = NestRequest> = (GatedLimiterOptions<S> | Inherited<S>) & {
  /** More limits for all handlers, of `AuthenticatedRateLimitGuard`. They inherit like those that are decorated. */
  authenticated?: GatedLimiterOptions<S>;
};

/** What limits are made with where they do not say. */
type Inherited<S> = SharedLimiterOptions<S> & Pick<GateOptions<S>, 'headers' | 'body'>;
