import type { Decision, GatedLimiterOptions, HttpRequest, Store } from '@sluice/core';

/** An application on one framework, made of definitions that are the same for all. */
export interface Adapter {
  readonly name: string;
  /** Limits for everything count what no route answers as well. */
  readonly countsUnknownPaths: boolean;
  start(definition: Definition): Promise<Server>;
}

/** What an application consists of. */
export interface Definition {
  /** Where limits count that share no limiter. */
  readonly store: Store;
  /** Whether a proxy on the same machine is believed whom it speaks for. @default true */
  readonly behindProxy?: boolean;
  /** Stands before all routes. */
  readonly everywhere?: Limit;
  readonly routes: readonly Route[];
}

/** Limiter and gate options, with functions that ask for what all frameworks tell of a request. */
export type Limit = GatedLimiterOptions<HttpRequest>;

export interface Route {
  /** @default 'GET' */
  readonly method?: 'GET' | 'POST' | 'OPTIONS';
  readonly path: string;
  /** Count when the request comes, one after the other. */
  readonly limits?: readonly Limit[];
  /** Claims that stand for verified ones; they are left where libraries for the framework leave theirs. */
  readonly claims?: (request: HttpRequest) => unknown;
  /** Count when the claims are there. */
  readonly authenticated?: readonly Limit[];
  /** @default answers with 200 and 'served' */
  readonly handle?: (visit: Visit) => Reply | Promise<Reply>;
}

/** What a handler is given. */
export interface Visit {
  readonly request: HttpRequest;
  /** As the framework hands it to handlers. */
  readonly decision: Decision | undefined;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Server {
  readonly port: number;
  /** What the error handler of the framework was given; it has answered as it does by itself. */
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

export const served = (): Reply => ({ status: 200, text: 'served' });
