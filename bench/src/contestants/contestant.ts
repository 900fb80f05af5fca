import type { Redis } from 'ioredis';
import type { Workload } from '../drive/workload.js';
import type { Field } from './field.js';

export type Connect = () => Redis;

/** Numbers of a cell of the benchmark, the same for all contestants. */
export interface Setting {
  /** Units that a key has in a window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
  /** The prefix of its keys, so that contestants share no keys. */
  readonly prefix: string;
  /** Keys that a memory store must have room for. */
  readonly maxKeys: number;
  /** A connection of its own to the Redis of this run, with ioredis' default settings. */
  readonly connect: Connect;
  /** The Redis of this run, for contestants that connect themselves. */
  readonly url: string;
}

/** A contestant that is ready. */
export interface Runner {
  /** Checks and charges a key. The result is awaited, as in an application. */
  check(key: string): unknown;
  /**
   * Whether an answer lets the request go on.
   *
   * @throws SkippedWork when the answer came without the measured work
   */
  admitted(answer: unknown): boolean;
  /** Ends an admitted request, whose permit comes back. Awaited, but no part of its latency. */
  end?(answer: unknown): unknown;
  /** Whether an error is a denial, for contestants that reject denied checks. */
  isDenial?(error: unknown): boolean;
  /** Answers so far that rightly needed no call to Redis. */
  fromProcess?(): number;
  /** Commands so far over connections of the contestant's own. */
  sent?(): number;
  /** Ends them. */
  close?(): unknown;
}

/** An answer came from the wrong source, such as from this process while Redis was too slow. */
export class SkippedWork extends Error {
  override name = 'SkippedWork';
}

/** The export of a contestant's file. */
export interface ContestantFile {
  open(setting: Setting): Runner | Promise<Runner>;
}

/** `limit`: a bound that no contestant passes without fewer commands; decides little or nothing. */
export type Kind = 'limit' | 'peer' | 'sluice';

/** The tables that a contestant takes part in. */
export type Discipline =
  | 'one-tier'
  | 'three-tiers'
  | 'memory'
  | 'limiters'
  | 'outage'
  | 'observed'
  | 'overrides'
  | 'quotas'
  | 'lines'
  | 'permits';

export interface Contestant {
  readonly name: string;
  readonly kind: Kind;
  readonly discipline: Discipline;
  /** The smallest field that it is in. @default 'main' */
  readonly field?: Field;
  /** The workloads that it is about. @default all */
  readonly workloads?: readonly Workload['kind'][];
  /** Gives all checks the same answer, so a test cannot see whether it limits. */
  readonly decidesNothing?: boolean;
  /** Denies known keys in the process. */
  readonly blocksInProcess?: boolean;
  load(): Promise<ContestantFile>;
}
