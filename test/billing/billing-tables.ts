import { usageTable, type UsageTable } from '@sluice/quotas/billing';
import { Pool } from 'pg';
import { startPostgres, type PostgresServer } from '../postgres/postgres-server.js';

/** A real Postgres with tables of usage. */
export class BillingTables {
  server!: PostgresServer;
  pool!: Pool;
  #tables = 0;

  /** Opens it for a `describe` block. */
  constructor() {
    beforeAll(async () => {
      this.server = await startPostgres();
      // The server ends the connections when it stops.
      this.pool = new Pool({ ...this.server.connection, max: 4 }).on('error', () => undefined);
    }, 60_000);

    afterAll(async () => {
      await this.pool.end();
      await this.server.stop();
    });
  }

  async create(): Promise<{ readonly table: UsageTable; readonly name: string }> {
    const name = `public.usage_${(this.#tables += 1)}`;
    const table = usageTable({ client: this.pool, table: name });
    await table.create();
    return { table, name };
  }
}
