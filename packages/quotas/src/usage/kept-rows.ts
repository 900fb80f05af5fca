/** A row that a sink could not store yet. */
export interface KeptRow {
  /** Of the row. */
  readonly id: string;
  /** Why, in a sentence without secrets: the status of the export shows it. */
  readonly reason: string;
}

/** What a sink answers that has not stored all rows. They stay due, and the export gives them again after a minute. */
export interface KeptRows {
  readonly kept: readonly KeptRow[];
}

/** A row that stays due. */
interface KeptUsage extends KeptRow {
  readonly label: string | undefined;
  readonly digest: string;
}

/** The reasons of the rows that a sink has kept, by their ids. @param answer whatever the sink has resolved with */
export function keptIn(answer: unknown): ReadonlyMap<string, string> {
  const { kept } = Object(answer) as Partial<KeptRows>;
  if (!Array.isArray(kept)) return new Map();
  return new Map(
    (kept as readonly unknown[]).map((row) => {
      const { id, reason = 'the sink gives no reason' } = Object(row) as Partial<KeptRow>;
      return [String(id), reason];
    }),
  );
}

/** A sentence about rows that stay due, with the reason that most of them have. */
export function problemOf(kept: readonly KeptUsage[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of kept) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const { label, digest, reason } = kept.find((row) => counts.get(row.reason) === most)!;
  const owner = label ?? `the digest ${digest}`;
  const rows = kept.length === 1 ? `a row of ${owner}` : `${kept.length} rows, such as one of ${owner}`;
  return `the sink has kept ${rows}: ${reason}`;
}
