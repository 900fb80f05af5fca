import type { MaybePromise } from '../../../packages/core/src/index.js';
import type { RedisOptions } from '../../../packages/redis/src/index.js';

/** A fault of Redis or of the connection to it. */
export interface Fault {
  readonly name: string;
  /** Milliseconds between `strike` and `heal`. @default 2000 */
  readonly lasts?: number;
  readonly expects?: Expectation;
  /** Starts the servers. Everything works until `strike`, unless the fault exists from the start. */
  set(): Promise<Scene>;
}

/** The servers that a fault strikes. */
export interface Scene {
  /** How a store connects to them. */
  readonly connection: RedisOptions;
  strike(): MaybePromise<void>;
  heal(): MaybePromise<void>;
  /**
   * Resolves at the first PONG of the server that must answer again, with the time of `performance.now()`. The run calls
   * it when it calls `heal`.
   */
  pong(): Promise<number>;
  /** The servers that hold the counters in the end. */
  ports(): MaybePromise<readonly number[]>;
  stop(): Promise<void>;
}

/** How a fault differs from the usual: limiters go on without Redis for a while, and no counter is lost. */
export interface Expectation {
  /** False: Redis decides throughout, except when a busy machine makes it too slow. @default true */
  readonly degrades?: boolean;
  /** False: the fault stays, and Redis decides nothing. @default true */
  readonly heals?: boolean;
  /** Counters are lost with their server, so Redis may count fewer requests than it admitted. @default false */
  readonly forgets?: boolean;
  /** No counter exists after `heal`, so every count comes from later requests. @default false */
  readonly beginsEmpty?: boolean;
  /** @default either */
  readonly breaker?: 'opens' | 'stays closed';
  /** False: the server refuses the connection. @default true */
  readonly connects?: boolean;
  /** Events about a wrong configuration. @default 0 */
  readonly configFaults?: number;
}
