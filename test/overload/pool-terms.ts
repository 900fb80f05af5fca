import type { PoolConfig } from 'pg';

/** What `npm run tool -- overload --pool` compares. */
export const POOL_SERVERS = ['queue', 'limit', 'under-pressure', 'nothing'] as const;
export type PoolServerName = (typeof POOL_SERVERS)[number];

export interface PoolServerSetup {
  readonly server: PoolServerName;
  readonly connection: PoolConfig;
  /** Connections of the pool. */
  readonly max: number;
  /** Seconds of a query. */
  readonly query: number;
  /** Requests in flight of `limit`. */
  readonly limit: number;
}

/** What a server says of itself. */
export interface PoolState {
  /** Of the queue. */
  readonly level: number;
  /** When the level was last above 0, in milliseconds since 1970. */
  readonly troubled: number;
  /** Queries that have begun. */
  readonly queries: number;
}
