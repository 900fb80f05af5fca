/** Units that are added to a balance, or taken from it. */
export interface Credit {
  /** Below 0 for a debit. 0 brings the balance up to date, and shows its postings. */
  readonly units: number;
  /** The digest of its id. */
  readonly id: string;
  /** When the units end, in milliseconds since 1970. @default never */
  readonly expiresAt?: number;
  /** Units of a lower order are spent first, 0 to 100. @default 50 */
  readonly order?: number;
  /** The caller reports that the balance is low, if this call makes it so, or one before that could not. */
  readonly tells?: boolean;
  /** What the posting says beside numbers. */
  readonly note?: string;
}

/** What a store has done with a credit. */
export interface Credited {
  /** The units that the balance holds then. */
  readonly balance: number;
  /** It is false for an id that was counted before, for which nothing was added. */
  readonly isNew: boolean;
  /** The units that were added under the id, or taken. Undefined for one that an early version has counted. */
  readonly units: number | undefined;
  /** Units of a debit that the balance did not have. */
  readonly rest?: number;
  /** For a caller that tells: the units down to which low balances were reported before. */
  readonly low?: number;
  /** Set where nothing was added, because the balance has as many grants as it can hold: the one that ends next, or 0. */
  readonly full?: { readonly endsAt: number; readonly units: number };
  /** Without units: the number of all postings, and the last of them, oldest first, as the balance writes them. */
  readonly posted?: number;
  readonly postings?: readonly string[];
}

/** What a balance is set to. */
export interface Reconciliation {
  /** What a ledger has. */
  readonly units: number;
  /** The first hour since 1970 that the ledger does not know. */
  readonly since: number;
  /** What the posting says beside numbers. */
  readonly note?: string;
}

/** A state after a credit, and what the credit has done. */
export interface CreditedState<State> {
  readonly state: State;
  readonly credited: Credited;
}
