import type { Duration } from '@sluice/core/internal';

export interface AddOptions {
  /** How long the networks stay on the list, from 1 s to 400 days. @default for good */
  for?: Duration;
  /** A remark for operators, at most 200 characters. @default '' */
  note?: string;
}

/** A network on a list. */
export interface ListedNetwork {
  /** `203.0.113.0/24`, or an address alone. */
  readonly network: string;
  /** Whole milliseconds that it stays on the list. `Infinity`: for good. */
  readonly for: number;
  readonly note: string;
  /** Whether the program has it, as its `seed`. */
  readonly isSeed: boolean;
}

/** A list of IP addresses, for the options `allow` and `deny`. */
export interface IpList {
  readonly name: string;
  readonly mode: 'enforce' | 'shadow';
  readonly onStoreFailure: 'allow' | 'deny';
  /** The list has been read from its store once. True for a list without a store. */
  readonly isLoaded: boolean;
  /** Whether an address is on the list. False for a string that is no address. */
  has(address: string): boolean;
  /**
   * Puts networks on the list, in all processes. One that is there already gets the new end and note.
   *
   * @throws UsageError, as a rejection, for a string that is no network, for a wrong option, and for a list of more
   *   than 100 000
   * @throws StoreError, as a rejection, while Redis cannot be reached. Without a reply the list may have changed: a
   *   repetition does no harm
   * @example await blocked.add('198.51.100.7', { for: '1h', note: 'scraper' });
   */
  add(networks: string | readonly string[], options?: AddOptions): Promise<void>;
  /** Takes networks off the list, in all processes. A seed stays. @throws as `add` does */
  remove(networks: string | readonly string[]): Promise<void>;
  /** What is on the list now. */
  entries(): readonly ListedNetwork[];
  /** Asks for changes immediately. @throws StoreError, as a rejection, while Redis cannot be reached */
  refresh(): Promise<void>;
  /**
   * Resolves when the list is loaded. Rejects with a StoreError that has the reason: immediately if only an operator
   * can cure it, else after 10 seconds.
   *
   * @example await Promise.all([store.ready(), blocked.ready()]);
   */
  ready(): Promise<void>;
  /**
   * What requests wait for: the first load, until no page of it has come for the `connectDeadline` of the store, at
   * most 10 seconds. Undefined from then on, and for a list in shadow mode.
   */
  started(): Promise<void> | undefined;
  /** Ends its timer and its reading. The list stays as it is, and `refresh` rejects with STORE_CLOSED. */
  close(): void;
}
