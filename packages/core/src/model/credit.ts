/** Units that are added to a balance. */
export interface Credit {
  readonly units: number;
  /** The digest of its id. */
  readonly id: string;
}

/** What a balance is set to. */
export interface Reconciliation {
  /** What a ledger has. */
  readonly units: number;
  /** The first hour since 1970 that the ledger does not know. Undefined if it knows all. */
  readonly since: number | undefined;
}
