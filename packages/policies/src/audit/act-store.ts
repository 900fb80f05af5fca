import type { Act, NewAct } from './act.js';

/** Where the acts on a store are. */
export interface ActStore {
  /** Adds an act that has happened to those of the store. */
  add(act: Act): void;
  /** Resolves when the acts were sent that were added. It does not reject: they are sent again later. */
  sent(): Promise<void>;
  /** The last 1 000 of the store, newest first. */
  all(): Promise<readonly Act[]>;
  /** The last 50 of a client. @param key of a list beside the client's keys */
  of(key: string): Promise<readonly Act[]>;
  /**
   * Deletes keys of a client, and records the act in the same step. A known id deletes nothing, and without keys nothing is recorded.
   *
   * @throws UsageError for an id that names another act
   */
  forget(forgetting: Forgetting): Promise<Done | undefined>;
}

export interface Forgetting {
  /** Of the client: `<prefix>:<owner>`. */
  readonly owner: string;
  readonly keys: readonly string[];
  readonly act: NewAct;
  /** Deletes them, and what layers of this process know of them. */
  readonly reset: () => Promise<void>;
}

export interface Done {
  readonly act: Act;
  /** False for a repetition, which has changed nothing. */
  readonly isNew: boolean;
}

/** The list of a client. @param owner `<prefix>:<owner>` of its keys */
export function actsKey(owner: string): string {
  return `${owner}:acts`;
}
