import type { Redis } from 'ioredis';
import type { Workload } from '../drive/workload.js';
import type { Field } from './field.js';

export type Connect = () => Redis;

/** Numbers of a cell of the benchmark, the same for everybody in it. */
export interface Setting {
  /** Units that a key has in a window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
  /** What its keys begin with, so that nobody counts on another one's keys. */
  readonly prefix: string;
  /** Keys that a memory store has to be able to keep. */
  readonly maxKeys: number;
  /** A connection of its own to the Redis of this run, with what ioredis sets by default. */
  readonly connect: Connect;
  /** The Redis of this run, for those who connect themselves. */
  readonly url: string;
}

/** A contestant that is ready. */
export interface Runner {
  /** Asks whether the holder of a key may go on, and charges it. Is awaited, as its users do. */
  check(key: string): unknown;
  /**
   * Whether an answer lets the request go on.
   *
   * @throws SkippedWork when it was found without the work that is measured
   */
  admitted(answer: unknown): boolean;
  /** Whether an error is a denial, for those who reject what they deny. */
  isDenial?(error: unknown): boolean;
  /** Answers so far that were meant to be found without Redis. */
  fromProcess?(): number;
  /** Commands so far that it has sent by connections that it has made itself. */
  sent?(): number;
  /** Ends them. */
  close?(): unknown;
}

/** An answer came from where it should not, such as from this process while Redis was too slow. */
export class SkippedWork extends Error {
  override name = 'SkippedWork';
}

/** What a file of a contestant exports. */
export interface ContestantFile {
  open(setting: Setting): Runner | Promise<Runner>;
}

/** `limit`: what no contestant can pass without fewer commands; decides little or nothing. */
export type Kind = 'limit' | 'peer' | 'sluice';

/** Where a contestant takes part. */
export type Discipline = 'one-tier' | 'three-tiers' | 'memory';

export interface Contestant {
  readonly name: string;
  readonly kind: Kind;
  readonly discipline: Discipline;
  /** The smallest field that it is in. @default 'main' */
  readonly field?: Field;
  /** The workloads that it is about. @default all */
  readonly workloads?: readonly Workload['kind'][];
  /** It answers all with the same, so that nobody can tell whether it limits. */
  readonly decidesNothing?: boolean;
  /** It answers denied keys in the process. */
  readonly blocksInProcess?: boolean;
  load(): Promise<ContestantFile>;
}
