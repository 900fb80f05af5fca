import { type OptionRows, readOptions } from '@sluice/core/internal';
import type { BillingSink, UsageRow } from '../usage/usage-row.js';
import type { SqlClient } from './sql-client.js';
import { type UsageChange, UsageChanges } from './usage-changes.js';

export interface UsageTableOptions {
  /** A `Pool` of pg, or another client with `query(text, values)`. */
  readonly client: SqlClient;
  /** Its name, perhaps behind that of a schema. @default 'sluice_usage' */
  readonly table?: string;
}

export const TABLE_ROWS = {
  client: {
    is: (value) => typeof (Object(value) as Partial<SqlClient>).query === 'function',
    words: 'a client of Postgres, such as new Pool() of pg',
    required: true,
    secret: true,
  },
  table: {
    is: /^(?:[a-z_][a-z\d_]{0,29}\.)?[a-z_][a-z\d_]{0,39}$/,
    words: "a name of small letters, digits and _, such as 'sluice_usage' or 'billing.usage'",
    otherwise: 'sluice_usage',
  },
} as const satisfies OptionRows;

/** Usage in a table of Postgres: a row for each hour of an owner and tier. */
export interface UsageTable {
  /** The statements that make the tables, for your migrations. */
  readonly schema: string;
  /** Makes the tables unless they are there. */
  create(): Promise<void>;
  /** Stores each row under its id, unless a row of a higher revision is there. */
  readonly sink: BillingSink;
  /** The sum of all rows that have the label and the hour of a row. @param tiers of these tiers @default the tier of the row */
  unitsOf(row: Pick<UsageRow, 'label' | 'from' | 'tier'>, tiers?: readonly string[]): Promise<number>;
  /** What bills that add events do not have yet of some rows, and of others that were left behind. */
  changesOf(rows: readonly UsageRow[]): Promise<readonly UsageChange[]>;
  /** A bill has the changes. */
  markSent(changes: readonly UsageChange[]): Promise<void>;
}

/**
 * A table of Postgres that takes an export of usage. A row that comes again, or late, changes nothing that is newer.
 *
 * @throws ConfigError
 * @example
 * const table = usageTable({ client: new Pool() });
 * await table.create();
 * exportUsage(store, { sink: table.sink });
 */
export function usageTable(options: UsageTableOptions): UsageTable {
  const { client, table } = readOptions('usageTable', options, TABLE_ROWS) as Required<UsageTableOptions>;
  const changes = new UsageChanges(client, table);
  const schema = `${schemaOf(table)}${changes.schema}`;
  const upsert = upsertOf(table);
  const sum = sumOf(table);
  return {
    schema,
    async create() {
      await client.query(schema);
    },
    async sink(rows) {
      if (rows.length > 0) await client.query(upsert, [JSON.stringify(rows.map(storable))]);
      return { kept: [] };
    },
    async unitsOf({ label, from, tier }, tiers = [tier]) {
      const { rows } = await client.query(sum, [storableText(label) ?? null, from, JSON.stringify(tiers)]);
      return Number((rows[0] as { units: unknown }).units);
    },
    changesOf: (rows) => changes.of(rows.map(({ id }) => id)),
    markSent: (sent) => changes.markSent(sent),
  };
}

function schemaOf(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${table} (
  id text PRIMARY KEY,
  source text,
  tier text NOT NULL,
  label text,
  partition text,
  digest text NOT NULL,
  hour timestamptz NOT NULL,
  units bigint NOT NULL,
  revision bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS ${table.slice(table.indexOf('.') + 1)}_of_labels ON ${table} (label, hour);
`;
}

/** One parameter for all rows, because clients write arrays in different ways. In one order, so that two batches cannot lock each other. */
function upsertOf(table: string): string {
  return `INSERT INTO ${table} AS known (id, source, tier, label, partition, digest, hour, units, revision)
SELECT id, source, tier, label, partition, digest, to_timestamp("from" / 1000.0), units, revision
FROM json_to_recordset($1::json) AS given(
  id text, source text, tier text, label text, partition text, digest text, "from" bigint, units bigint, revision bigint
)
ORDER BY id
ON CONFLICT (id) DO UPDATE SET label = excluded.label, units = excluded.units, revision = excluded.revision
WHERE excluded.revision >= known.revision`;
}

function sumOf(table: string): string {
  return `SELECT coalesce(sum(units), 0) AS units FROM ${table}
WHERE label IS NOT DISTINCT FROM $1::text AND hour = to_timestamp($2::bigint / 1000.0)
  AND tier IN (SELECT json_array_elements_text($3::json))`;
}

function storable({ label, ...row }: UsageRow): object {
  return { ...row, label: storableText(label) };
}

/** Postgres refuses some characters of a label, which must not hold up the batch. */
function storableText(label: string | undefined): string | undefined {
  return label?.toWellFormed().replaceAll('\0', '\uFFFD');
}
