import type { MaybePromise } from '../async/maybe-promise.js';
import type { Receipt } from '../model/receipt.js';
import type { Store } from './store.js';

/** Units of an hour: those that no export has, and those that one has. */
export interface HourUnits {
  /** Also 0: a sink that has failed may have stored units that were given back since. Undefined when an export has all. */
  readonly open: number | undefined;
  readonly exported: number;
}

/** Units of an hour that an export has, in addition to those before. */
export interface MarkedUnits {
  readonly key: string;
  readonly hour: number;
  readonly units: number;
  readonly before: number;
}

/** A change of the lock of exports. */
export interface LockChange {
  /** The name of the process that exports. */
  readonly holder: string;
  /** A digest of the tiers that it exports. */
  readonly scope: string;
  /** How long the lock lasts; 0 gives it back. */
  readonly milliseconds: number;
  /** When the export began that gives the lock back and has left nothing due, by the clock of the store. @default it has left some */
  readonly completed?: number;
}

/** The lock of exports. Times are milliseconds since 1970 by the clock of the store. */
export interface ExportLock {
  /** Of the holder: higher than that of each before. 0 while another process has the lock. */
  readonly number: number;
  /** When the last export of the scope began that has left nothing due. 0: none has yet. */
  readonly completed: number;
  readonly now: number;
}

/** The usage of keys, by the number of the hour since 1970. */
export interface UsageReading {
  /** Milliseconds since 1970 by the clock of the store. */
  readonly now: number;
  readonly hours: readonly ReadonlyMap<number, HourUnits>[];
}

/** Where a store counts what is charged under policies with `usage`. */
export interface UsageLedger {
  /** Counts charges. Absent where the store does that with the charge. */
  count?(receipts: readonly Receipt[]): void;
  read(keys: readonly string[]): MaybePromise<UsageReading>;
  /** Pages of the keys that have usage, begin and end so. A key may be in two of them. */
  keys(begin: string, end: string): AsyncIterable<readonly string[]>;
  /** Marks units as exported, where none of the hour were marked since. */
  mark(units: readonly MarkedUnits[]): MaybePromise<void>;
  /** Takes, renews or gives back the lock of the exports under a prefix. */
  lock(prefix: string, change: LockChange): MaybePromise<ExportLock>;
}

/** A store with a ledger of usage. */
export interface UsageStore extends Store {
  readonly usage: UsageLedger;
}

/** A store in this process, beside which more can be counted. */
export interface WatchedStore extends Store {
  /** Keys that it holds at most. */
  readonly maxKeys: number;
  /** Microseconds since 1970. */
  now(): number;
  /** Calls back with receipts that are given back. */
  watchRefunds(onRefund: (receipts: readonly Receipt[]) => void): void;
}
