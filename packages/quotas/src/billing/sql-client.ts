/** What a table of usage needs of a client of Postgres: a `Pool` or a `Client` of pg has it. */
export interface SqlClient {
  query(text: string, values?: unknown[]): PromiseLike<{ readonly rows: readonly unknown[] }>;
}
