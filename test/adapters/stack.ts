import type { Decision, HttpRequest, Store } from '@sluice/http';
import type { GatedLimiterOptions } from '@sluice/http/adapter';
import type { Address } from '../support/site.js';

/** A framework with its adapter. It builds applications from definitions that are the same for all frameworks. */
export interface Stack {
  readonly name: string;
  /** True when a limit for the whole application also counts requests without a route. */
  readonly countsUnknownPaths: boolean;
  start(definition: Definition): Promise<RunningApp>;
}

export interface Definition {
  /** The store of limits without a limiter or store of their own. */
  readonly store: Store;
  /** Whether the framework trusts a proxy on the same machine. @default true */
  readonly behindProxy?: boolean;
  /** Listens here instead of on a port. */
  readonly socketPath?: string;
  /** Applies to the whole application, before all routes. */
  readonly everywhere?: Limit;
  readonly routes: readonly Route[];
}

/** Limiter and gate options. Their functions read only what every framework's request has. */
export type Limit = GatedLimiterOptions<HttpRequest>;

export interface Route {
  /** @default 'GET' */
  readonly method?: 'GET' | 'POST' | 'OPTIONS';
  readonly path: string;
  /** Count when the request arrives, in this order. */
  readonly limits?: readonly Limit[];
  /** Stand for verified claims; the stack puts them where libraries for the framework do. */
  readonly claims?: (request: HttpRequest) => unknown;
  /** Count after the claims are set. */
  readonly authenticated?: readonly Limit[];
  /** @default answers with 200 and 'served' */
  readonly handle?: (call: Call) => Reply | Promise<Reply>;
}

/** The input of a handler. */
export interface Call {
  readonly request: HttpRequest;
  /** As the framework hands it to handlers. */
  readonly decision: Decision | undefined;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface RunningApp {
  readonly address: Address;
  /** The errors that reached the framework's error handler. The framework answered them as it does by default. */
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

export const served = (): Reply => ({ status: 200, text: 'served' });
