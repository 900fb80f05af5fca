import { usageTable } from '@sluice/quotas/billing';
import type { UsageRow, UsageSink } from '@sluice/quotas';
import { billingScene, START, useAndExport } from './billing-scene.js';
import { BillingTables } from './billing-tables.js';

const HOUR = 3_600_000;
const { signal } = new AbortController();

describe('usageTable, on a real Postgres', () => {
  const tables = new BillingTables();

  const rowOf = (row: Partial<UsageRow>): UsageRow => ({
    id: 'a',
    source: undefined,
    tier: 'day',
    partition: undefined,
    label: 'ada',
    digest: 'd',
    from: START,
    to: START + HOUR,
    units: 5,
    revision: 1,
    ...row,
  });

  const unitsIn = async (name: string) => {
    const rows = await tables.server.query(
      `SELECT label, sum(units)::int AS units FROM ${name} GROUP BY label ORDER BY label`,
    );
    return new Map(rows.map(({ label, units }) => [label, units]));
  };

  it('is made once, however often it is asked for', async () => {
    const { table, name } = await tables.create();
    await table.create();
    await tables.pool.query(usageTable({ client: tables.pool, table: name }).schema);

    expect(await tables.server.query(`SELECT * FROM ${name}`)).toEqual([]);
  });

  it('has each row once, of the highest revision, in whatever order they come', async () => {
    const { table, name } = await tables.create();
    for (const row of [{ revision: 2, units: 9 }, { revision: 2, units: 9 }, { id: 'b' }, { revision: 1, units: 5 }])
      await table.sink([rowOf(row)], { signal });

    const rows = await tables.server.query(`SELECT id, units::int, revision::int, hour FROM ${name} ORDER BY id`);

    expect(rows).toEqual([
      { id: 'a', units: 9, revision: 2, hour: new Date(START) },
      { id: 'b', units: 5, revision: 1, hour: new Date(START) },
    ]);
  });

  it('takes labels that Postgres would refuse, and a batch without rows', async () => {
    const { table, name } = await tables.create();
    await table.sink([], { signal });
    await table.sink([rowOf({ label: 'nul\0' }), rowOf({ id: 'b', label: 'half \ud83d' })], { signal });
    await table.sink([rowOf({ id: 'c', label: undefined, partition: 'p' })], { signal });

    expect([...(await unitsIn(name)).keys()]).toEqual(['half \ufffd', 'nul\ufffd', null]);
  });

  it('adds up the rows of a label and an hour, of the tiers that are asked for', async () => {
    const { table } = await tables.create();
    const rows = [{ units: 5 }, { units: 3 }, { tier: 'credits' }, { from: START + HOUR }, { label: 'bob' }];
    await table.sink(
      rows.map((row, index) => rowOf({ ...row, id: String(index) })),
      { signal },
    );

    expect(await table.unitsOf(rowOf({}))).toBe(8);
    expect(await table.unitsOf(rowOf({}), ['day', 'credits'])).toBe(13);
    expect(await table.unitsOf(rowOf({ label: undefined }))).toBe(0);
  });

  it('has what requests keep when half of the batches fail, before or after they were stored', async () => {
    const { table, name } = await tables.create();
    let calls = 0;
    const sink: UsageSink = async (rows, context) => {
      calls += 1;
      if (calls % 4 === 1) throw new Error('away');
      await table.sink(rows, context);
      if (calls % 4 === 3) throw new Error('no answer in time');
    };
    const scene = billingScene(sink);
    const units = await useAndExport(scene, 200);
    for (let run = 0; run < 4; run += 1) await scene.running.run();

    expect(scene.running.status().problem).toBeUndefined();
    expect(await unitsIn(name)).toEqual(units);
    await scene.running.close();
  });

  it('has changes that sum to the units of a row, from processes that write it at the same time', async () => {
    const { table } = await tables.create();
    const write = async (revision: number) => {
      const row = rowOf({ revision, units: 5 * revision });
      await table.sink([row], { signal });
      return table.changesOf([row]);
    };

    // Transactions are serializable here, so that some of them fail.
    await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map((revision) => write(revision)));
    const changes = await write(9);

    expect(changes.reduce((sum, { units }) => sum + units, 0)).toBe(45);
    expect(changes.map(({ number }) => number)).toEqual(changes.map((_, index) => index + 1));
  });

  it.each(['Usage', 'usage; drop table usage', 'a.b.c', 'x'.repeat(41), ''])('refuses the name %j', (table) => {
    expect(() => usageTable({ client: tables.pool, table })).toThrow(
      /^usageTable: table must be a name of small letters/,
    );
  });
});
