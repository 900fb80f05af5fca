import type { PoolConfig } from 'pg';

/** A service that a process bills by, and where that process dies. */
export interface BillerJob {
  readonly kind: 'stripe' | 'openMeter' | 'postgres';
  /** Of Redis. */
  readonly port: number;
  readonly url: string;
  readonly key: string;
  /** Of the tables. */
  readonly connection: PoolConfig;
  readonly table: string;
  /** The name of the tier with usage. */
  readonly tier: string;
  /** The step at which it is killed: before each call of Redis, and around each of the service and of Postgres. */
  readonly dies: number;
}
