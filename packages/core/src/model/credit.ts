/** Units that are added to a balance. */
export interface Credit {
  readonly units: number;
  /** The digest of its id. */
  readonly id: string;
}

/** What a store has done with a credit. */
export interface Credited {
  /** The units that the balance holds then. */
  readonly balance: number;
  /** It is false for an id that was counted before, for which nothing was added. */
  readonly isNew: boolean;
  /** The units that were added under the id. Undefined for one that an earlier version has counted. */
  readonly units: number | undefined;
}

/** What a balance is set to. */
export interface Reconciliation {
  /** What a ledger has. */
  readonly units: number;
  /** The first hour since 1970 that the ledger does not know. */
  readonly since: number;
}
