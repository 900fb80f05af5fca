import type { SqlClient } from './sql-client.js';

/** How the units of an hour have changed. The changes of a row sum to its units. */
export interface UsageChange {
  /** Of the row. */
  readonly row: string;
  /** From 1 on: row and number name a change for ever. */
  readonly number: number;
  /** Below 0 after refunds. */
  readonly units: number;
  readonly tier: string;
  readonly label: string | undefined;
  readonly digest: string;
  /** The hour, in milliseconds since 1970. */
  readonly from: number;
}

/** Changes that a call reads at most, beside those of its rows. */
const OTHERS = 500;

/**
 * The changes of a table of usage, for bills that add events. A change is stored before it is sent and never changes, so that
 * it can be sent again under its name until a reply comes.
 */
export class UsageChanges {
  readonly schema: string;
  readonly #client: SqlClient;
  readonly #table: string;

  constructor(client: SqlClient, table: string) {
    this.#client = client;
    this.#table = table;
    const name = table.slice(table.indexOf('.') + 1);
    this.schema = `CREATE TABLE IF NOT EXISTS ${table}_changes (
  row_id text NOT NULL REFERENCES ${table} (id),
  number integer NOT NULL,
  units bigint NOT NULL,
  is_sent boolean NOT NULL DEFAULT false,
  PRIMARY KEY (row_id, number)
);
CREATE INDEX IF NOT EXISTS ${name}_not_sent ON ${table}_changes (row_id) WHERE NOT is_sent;
`;
  }

  /** Those that are not sent: of some rows, and some that were left behind, as when Redis has lost its data. */
  async of(ids: readonly string[]): Promise<readonly UsageChange[]> {
    const values = [JSON.stringify(ids)];
    // Where another process has added a change meanwhile, it may have known older units.
    while ((await this.#add(values)) > 0);
    const { rows } = await this.#client.query(this.#notSent, values);
    return rows.map((row) => changeOf(row as Record<string, unknown>));
  }

  async markSent(changes: readonly UsageChange[]): Promise<void> {
    if (changes.length === 0) return;
    const sent = changes.map(({ row, number }) => ({ row, number }));
    await this.#client.query(
      `UPDATE ${this.#table}_changes AS known SET is_sent = true
FROM json_to_recordset($1::json) AS given("row" text, number integer)
WHERE known.row_id = given."row" AND known.number = given.number`,
      [JSON.stringify(sent)],
    );
  }

  /** Adds a change to each row that has other units than its changes. Resolves with the number of such rows. */
  async #add(values: unknown[]): Promise<number> {
    const { rows } = await this.#client.query(
      `WITH behind AS (
  SELECT usage.id, coalesce(told.number, 0) + 1 AS number, usage.units - coalesce(told.units, 0) AS units
  FROM ${this.#table} AS usage
  LEFT JOIN LATERAL (
    SELECT max(number) AS number, sum(units) AS units FROM ${this.#table}_changes WHERE row_id = usage.id
  ) AS told ON true
  WHERE usage.id IN (SELECT json_array_elements_text($1::json)) AND usage.units <> coalesce(told.units, 0)
), added AS (
  INSERT INTO ${this.#table}_changes (row_id, number, units)
  SELECT id, number, units FROM behind ORDER BY id
  ON CONFLICT DO NOTHING
)
SELECT count(*) AS rows FROM behind`,
      values,
    );
    return Number((rows[0] as { rows: unknown }).rows);
  }

  get #notSent(): string {
    return `SELECT changes.row_id, changes.number, changes.units, usage.tier, usage.label, usage.digest,
  extract(epoch FROM usage.hour) * 1000 AS hour
FROM ${this.#table}_changes AS changes JOIN ${this.#table} AS usage ON usage.id = changes.row_id
WHERE NOT changes.is_sent
ORDER BY changes.row_id IN (SELECT json_array_elements_text($1::json)) DESC, changes.row_id, changes.number
LIMIT json_array_length($1::json) + ${OTHERS}`;
  }
}

/** Clients read large numbers as text. */
function changeOf(row: Record<string, unknown>): UsageChange {
  const { row_id: id, number, units, tier, label, digest, hour } = row;
  return {
    row: id as string,
    number: Number(number),
    units: Number(units),
    tier: tier as string,
    label: (label as string | null) ?? undefined,
    digest: digest as string,
    from: Number(hour),
  };
}
