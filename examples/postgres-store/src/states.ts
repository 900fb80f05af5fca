import { createHash } from 'node:crypto';
import type { StoredState } from '@sluice/core/own-store';

const MAX_RECORDS = 20;
/** An update that changes no indexed column changes no index. A row lives on for as long until it is deleted anyway. */
const MINUTE = 60_000;

/** A row of the table, without its key. */
export interface Row {
  readonly state: string;
  /** JSON: the newest strings that a tier has recorded. */
  readonly records: string;
  readonly expires_at: number;
}

/** The states of some keys at one time, and what a decision changes of them. */
export class States {
  readonly #rows: Map<string, Row>;
  /** The new rows by digest. */
  readonly changed = new Map<string, Row>();

  /** @param now milliseconds since 1970, by the clock of the server */
  constructor(
    readonly now: number,
    rows: readonly (Row & { readonly key: string })[],
  ) {
    this.#rows = new Map(rows.filter(({ expires_at }) => expires_at > now).map((row) => [row.key, row]));
  }

  readonly textOf = (key: string): string | undefined => this.#rows.get(digestOf(key))?.state;

  recordsOf(key: string): readonly string[] {
    return JSON.parse(this.#rows.get(digestOf(key))?.records ?? '[]') as string[];
  }

  save(key: string, { text, expiresAt }: StoredState, recorded = this.recordsOf(key)): void {
    const row = { state: text, records: JSON.stringify(recorded), expires_at: Math.ceil(expiresAt / MINUTE) * MINUTE };
    this.#rows.set(digestOf(key), row);
    this.changed.set(digestOf(key), row);
  }

  /** Records a string with a key that `save` has changed. */
  record(key: string, text: string): void {
    const { state, expires_at } = this.changed.get(digestOf(key))!;
    const records = [text, ...this.recordsOf(key)].slice(0, MAX_RECORDS);
    this.save(key, { text: state, expiresAt: expires_at }, records);
  }
}

/** A key may be long and contain any character, a NUL too. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
