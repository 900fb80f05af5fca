import type { MaybePromise } from '../async/maybe-promise.js';
import type { Receipt } from '../model/receipt.js';
import type { Store } from './store.js';

/** Units of an hour. It is open while no export has all of them. */
export interface OpenHour {
  readonly hour: number;
  /**
   * The units that no export contains. 0 is reported too, because a sink that has failed may have stored units that
   * were given back since.
   */
  readonly open: number;
  readonly exported: number;
}

/** What a customer has used of a tier, as far as it is open. */
export interface OpenUsage {
  /** Where it lies in the store. */
  readonly key: string;
  /** The text of `label`, of the last charge that had one. */
  readonly label: string | undefined;
  readonly hours: readonly OpenHour[];
}

export interface OpenUsagePage {
  /** Milliseconds since 1970 by the clock of the store. */
  readonly now: number;
  readonly usage: readonly OpenUsage[];
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
  /** Which tiers it exports. */
  readonly scope: string;
  /** How long the lock lasts. A lock of 0 is given back. */
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

/** Where a store counts what is charged under policies with `usage`. */
export interface UsageLedger {
  /** Counts charges. Absent where the store does that with the charge. @param labels by the name of the tier */
  count?(receipts: readonly Receipt[], labels: ReadonlyMap<string, string> | undefined): void;
  /** The units of owners and tiers by the number of the hour since 1970, as far as the store keeps them. @param keys of counts */
  read(keys: readonly string[]): MaybePromise<readonly ReadonlyMap<number, number>[]>;
  /** Pages of all usage under a prefix that is open. Usage may be in two of them. */
  open(prefix: string): AsyncIterable<OpenUsagePage>;
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
