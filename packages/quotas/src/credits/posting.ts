import { postedFrom, type PostedKind } from './posted.js';

/** A change of a balance that no request has made. */
export interface Posting {
  /**
   * Names the change. Of a credit, a debit or a reconciliation its id, or a digest of it where the id has other characters than
   * letters, digits and `_.:-`, or more than 64.
   */
  readonly id: string;
  /** Counts the postings of the balance, from 1. */
  readonly number: number;
  /** `lost`: units that requests gave back to grants that had ended. */
  readonly kind: PostedKind;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly at: number;
  /** By how much it has changed the balance. Of `lost`, by how much it has not: below 0, too. */
  readonly units: number;
  /** Units that the balance held then. */
  readonly balance: number;
  /** When the units of the grant end, in milliseconds since 1970. Undefined for those that never do. */
  readonly expiresAt?: number;
  /** The order of the grant of a credit or an expiry. */
  readonly order?: number;
  readonly by?: string;
  readonly reason?: string;
}

/** What a posting says beside numbers. */
export interface PostingNote {
  readonly id?: string | undefined;
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
}

/** Newest first. @param posted the number of all postings. @param texts of the last ones, oldest first */
export function postingsOf(posted: number, texts: readonly string[]): readonly Posting[] {
  const first = posted - texts.length + 1;
  return texts.map((text, index) => postingOf(first + index, text)).toReversed();
}

function postingOf(number: number, text: string): Posting {
  const { kind, at, units, balance, ends, order, note } = postedFrom(text);
  const { id = `${kind}-${number}`, by, reason } = (note === '' ? {} : JSON.parse(note)) as PostingNote;
  return {
    id,
    number,
    kind,
    at,
    units,
    balance,
    ...(ends > 0 && { expiresAt: ends }),
    ...((kind === 'credit' || kind === 'expiry') && { order }),
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  };
}
