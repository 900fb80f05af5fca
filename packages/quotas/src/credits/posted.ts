/** What has changed the units of a balance beside requests, in the order of their numbers in the store. */
export const KINDS = ['credit', 'debit', 'expiry', 'lost', 'reconcile'] as const;

export type PostedKind = (typeof KINDS)[number];

/** One of the last changes, as the store has it. */
export interface Posted {
  readonly kind: PostedKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** By which the balance has changed. Of `lost` units that came back to a grant that had ended, below 0. */
  readonly units: number;
  /** Units that the balance held then. */
  readonly balance: number;
  /** Of the grant: when it ends, or 0, and its order. */
  readonly ends: number;
  readonly order: number;
  /** What the caller has said of it. */
  readonly note: string;
}

/** The last postings of a balance. */
export interface Postings {
  /** Of all time. */
  readonly posted: number;
  /** Oldest first. */
  readonly postings: readonly Posted[];
}

/** Postings that a balance shows. */
export const MAX_POSTINGS = 50;

export function post<P extends Postings>(account: P, posting: Posted): P {
  const last = account.postings.at(-1);
  // Requests that end after their grant: one posting says it of all.
  if (posting.kind === 'lost' && last?.kind === 'lost') {
    const sum = { ...posting, units: last.units + posting.units };
    return { ...account, postings: [...account.postings.slice(0, -1), sum] };
  }
  const postings = [...account.postings.slice(1 - MAX_POSTINGS), posting];
  return { ...account, posted: account.posted + 1, postings };
}

/** A posting as the scripts write it: its numbers, a blank and its note. */
export function postedText({ kind, at, units, balance, ends, order, note }: Posted): string {
  return `${[KINDS.indexOf(kind) + 1, at, units, balance, ends, order].join()} ${note}`;
}

/** Reads such a text. */
export function postedFrom(text: string): Posted {
  const end = text.indexOf(' ');
  const [kind, at, units, balance, ends, order] = text.slice(0, end).split(',').map(Number);
  return {
    kind: KINDS[kind! - 1]!,
    at: at!,
    units: units!,
    balance: balance!,
    ends: ends!,
    order: order!,
    note: text.slice(end + 1),
  };
}
