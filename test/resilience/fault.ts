import type { MaybePromise, RedisOptions } from '../../packages/core/src/index.js';

/** Something that goes wrong with Redis, or on the way to it. */
export interface Fault {
  readonly name: string;
  /** Milliseconds from the strike until it is healed, at full length. @default 2000 */
  readonly lasts?: number;
  readonly expects?: Expectation;
  /** Starts all that it needs. Everything works, unless it is there from the start. */
  set(): Promise<Scene>;
}

/** The servers that a fault strikes. */
export interface Scene {
  /** How a store connects to them. */
  readonly connection: RedisOptions;
  strike(): MaybePromise<void>;
  heal(): MaybePromise<void>;
  /**
   * Resolves at the first PONG of the server that is to answer again, to the milliseconds of `performance.now()`. It is
   * asked for when `heal` begins.
   */
  pong(): Promise<number>;
  /** Of the servers that hold the counters when all is over, and to which anybody may connect. */
  ports(): MaybePromise<readonly number[]>;
  stop(): Promise<void>;
}

/** What a fault does, where it is not that limiters of every kind go on without Redis for a while and nothing is lost. */
export interface Expectation {
  /** False: Redis is never missed, but where a busy machine makes it too slow. @default true */
  readonly degrades?: boolean;
  /** False: it stays as it is, and Redis decides nothing. @default true */
  readonly heals?: boolean;
  /** Counters are lost with their server: fewer hits may be counted than were admitted. @default false */
  readonly forgets?: boolean;
  /** There is no counter when it is healed: whatever is counted in the end was asked after that. @default false */
  readonly beginsEmpty?: boolean;
  /** @default either */
  readonly breaker?: 'opens' | 'stays closed';
  /** How often somebody is told that a configuration is wrong. @default 0 */
  readonly configFaults?: number;
}
