/** A limit for one identity, in place of the limit of its tier. */
export interface Override {
  readonly tier: string;
  /** Of the identity, as in the keys of the store. Without a `secret` an address can be guessed from it. */
  readonly digest: string;
  /** The digest of its partition. */
  readonly partition?: string;
  /** 0: never. null: the tier does not apply. */
  readonly limit: number | null;
  /** When it ends, in milliseconds since 1970 by the wall clock of each process. Absent if it stays. */
  readonly until?: number;
  readonly reason: string;
  readonly by?: string;
}
