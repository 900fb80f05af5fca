import { createLimiter, memoryStore } from '../../../core/src/index.js';
import { HOUR_MS } from '../../../core/src/model/usage.js';
import { limitersOf } from '../../../core/src/limiter/limiter-view.js';
import { usageLedgerOf } from './usage-ledgers.js';
import { exportUsage } from './export-usage.js';
import type { UsageRow } from './usage-row.js';
import { usageOf } from '../index.js';
import { closeLater, exportScene, START } from '../../../../test/support/export-scene.js';
import { usage } from '../index.js';

describe('exportUsage', () => {
  it('gives the usage of an hour to the sink when its grace is over', async () => {
    const { store, limiter, running, batches, advance } = exportScene({ grace: '5m' });
    await limiter.consume('ada', { cost: 3 });
    await limiter.consume('ada', { cost: 4 });

    await running.run();
    advance(HOUR_MS + 299_999);
    await running.run();
    expect(batches).toEqual([]);
    advance(1);
    const status = await running.run();

    const digest = limitersOf(store)[0]!.digestOf('ada');
    const times = { from: START, to: START + HOUR_MS };
    const owner = { tier: 'day', partition: undefined, label: undefined, digest };
    const row = { id: expect.stringMatching(/^[\w-]{22}$/), ...owner, ...times, units: 7 };
    expect(batches).toEqual([[{ ...row, revision: expect.any(Number) }]]);
    expect(status).toMatchObject({ rows: 1, problem: undefined });
  });

  it('gives an hour once, and again with all of its units when a settlement changes it', async () => {
    const { limiter, running, table, batches, advance } = exportScene();
    const decision = await limiter.consume('ada', { cost: 10 });
    await limiter.consume('ada', { cost: 5 });
    advance(2 * HOUR_MS);
    await running.run();
    await running.run();
    const [before] = [...table.values()];

    await limiter.settle(decision, 4);
    await running.run();

    const [after] = [...table.values()];
    expect(batches).toHaveLength(2);
    expect([before!.units, after!.units]).toEqual([15, 9]);
    expect(after!.id).toBe(before!.id);
    expect(after!.revision).toBeGreaterThan(before!.revision);
  });

  it('keeps rows due that the sink has not taken, and says why', async () => {
    let fails = true;
    const taken: UsageRow[] = [];
    const { limiter, running, advance } = exportScene({
      sink: (rows) => {
        if (fails) throw new Error('the billing is away');
        taken.push(...rows);
      },
    });
    await limiter.consume('ada', { cost: 3 });
    advance(2 * HOUR_MS);

    const failed = await running.run();
    fails = false;
    const done = await running.run();

    expect(failed).toMatchObject({ rows: 0, problem: 'the sink has failed: the billing is away' });
    expect(done).toMatchObject({ rows: 1, problem: undefined });
    expect(taken.map(({ units }) => units)).toEqual([3]);
  });

  it('keeps the rows due that the sink could not store, says why, and gives only these again', async () => {
    const kept = new Map([['bob', 'it has no number in the billing service']]);
    const { store, limiter, running, batches, advance } = exportScene({
      sink(rows) {
        batches.push(rows);
        const digests = new Map([...kept].map(([user, reason]) => [limitersOf(store)[0]!.digestOf(user), reason]));
        const some = rows.filter(({ digest }) => digests.has(digest));
        return { kept: some.map(({ id, digest }) => ({ id, reason: digests.get(digest)! })) };
      },
    });
    for (const user of ['ada', 'bob', 'eve']) await limiter.consume(user, { cost: 3 });
    advance(2 * HOUR_MS);

    const some = await running.run();
    await running.run();
    kept.clear();
    const done = await running.run();

    expect(batches.map(({ length }) => length)).toEqual([3, 1, 1]);
    expect(some).toMatchObject({
      rows: 2,
      problem: `the sink has kept a row of the digest ${limitersOf(store)[0]!.digestOf('bob')}: it has no number in the billing service`,
    });
    expect(done).toMatchObject({ rows: 3, problem: undefined });
  });

  it.each([
    [new Error('fetch failed', { cause: new Error('other side closed') }), 'fetch failed: other side closed'],
    [new AggregateError([new Error('connect ECONNREFUSED ::1:5432')]), 'connect ECONNREFUSED ::1:5432'],
    [new TypeError(''), 'TypeError'],
    ['away', 'away'],
  ])('says why a sink has failed that rejects with %p', async (error, reason) => {
    const sink = async () => {
      throw error as Error;
    };
    const { limiter, running, advance } = exportScene({ sink });
    await limiter.consume('ada');
    advance(2 * HOUR_MS);

    expect((await running.run()).problem).toBe(`the sink has failed: ${reason}`);
  });

  it('gives the usage of two stores other ids if each export names its source', async () => {
    const table = new Map<string, UsageRow>();
    const sink = (rows: readonly UsageRow[]) => rows.forEach((row) => table.set(row.id, row));
    for (const source of ['eu', 'us']) {
      const { limiter, running, advance } = exportScene({ sink, source });
      await limiter.consume('ada', { cost: 3 });
      advance(2 * HOUR_MS);
      await running.run();
      await running.run();
    }

    expect([...table.values()].map(({ source, units }) => [source, units])).toEqual([
      ['eu', 3],
      ['us', 3],
    ]);
  });

  it.each([[undefined], ['stored'], [{ kept: 5 }], [{ kept: [] }]])(
    'counts a batch as stored when the sink resolves with %j',
    async (answer) => {
      const { limiter, running, advance } = exportScene({ sink: () => answer });
      await limiter.consume('ada');
      advance(2 * HOUR_MS);

      expect(await running.run()).toMatchObject({ rows: 1, problem: undefined });
    },
  );

  it('gives an hour again that was refunded whole, because a sink that failed may have stored it', async () => {
    const stored = new Map<string, number>();
    let fails = true;
    const { limiter, running, advance } = exportScene({
      sink: (rows) => {
        for (const { id, units } of rows) stored.set(id, units);
        if (fails) throw new Error('no answer in time');
      },
    });
    const decision = await limiter.consume('ada', { cost: 5 });
    advance(2 * HOUR_MS);
    await running.run();
    fails = false;

    await limiter.refund(decision);
    await running.run();
    await running.run();

    expect([...stored.values()]).toEqual([0]);
    expect(running.status()).toMatchObject({ rows: 1, problem: undefined });
  });

  it('gives the sink at most 500 rows at a time', async () => {
    const { limiter, running, batches, table, advance } = exportScene();
    for (let user = 0; user < 1_201; user += 1) await limiter.consume(`user-${user}`);
    advance(2 * HOUR_MS);

    await running.run();

    expect(batches.map(({ length }) => length)).toEqual([500, 500, 201]);
    expect(table.size).toBe(1_201);
  });

  it('gives a row once to a batch, where a scan finds its key twice', async () => {
    const { store, limiter, batches, running, advance } = exportScene();
    const counting = usageLedgerOf(store)!;
    const scan = counting.open.bind(counting);
    counting.open = async function* (prefix) {
      for await (const page of scan(prefix)) yield* [page, page];
    };
    await limiter.consume('ada', { cost: 3 });
    advance(2 * HOUR_MS);

    await running.run();
    await running.run();

    expect(batches.map((rows) => rows.map(({ units }) => units))).toEqual([[3]]);
  });
});

describe('exportUsage, by its timer', () => {
  const clock = () => Date.now();
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  beforeEach(() => jest.useFakeTimers({ now: START }));
  afterEach(() => jest.useRealTimers());

  it('begins within a minute of its start, because a process may end within the hour', async () => {
    const { store, limiter, running, batches, sink } = exportScene({}, clock);
    await limiter.consume('ada', { cost: 3 });
    await running.close();
    await pass(2 * HOUR_MS);

    closeLater(exportUsage(store, { sink }));
    await pass(60_000);

    expect(batches.map((rows) => rows.map(({ units }) => units))).toEqual([[3]]);
  });

  it('leaves out what another process has exported within the time, and knows when that was', async () => {
    const { store, running } = exportScene({}, clock);
    const other = exportUsage(store, { sink: () => undefined });
    closeLater(other);
    const scans = jest.spyOn(usageLedgerOf(store)!, 'open');
    await running.run();

    await pass(HOUR_MS / 2);
    const [before, known] = [scans.mock.calls.length, other.status().age];
    await pass(HOUR_MS);

    expect([before, known, scans.mock.calls.length]).toEqual([1, HOUR_MS / 2, 2]);
  });

  it('is repeated after a minute when the sink fails, and completes when no row is due', async () => {
    let fails = true;
    const sink = () => {
      if (fails) throw new Error('away');
    };
    const { limiter, running } = exportScene({ sink }, clock);
    await running.run();
    await limiter.consume('ada');

    await pass(2 * HOUR_MS);
    const failed = running.status();
    fails = false;
    await pass(60_000);

    // Since its hour has ended.
    expect(failed).toEqual({ age: HOUR_MS, rows: 0, problem: 'the sink has failed: away' });
    expect(running.status()).toEqual({ age: 0, rows: 1, problem: undefined });
  });

  it('gives up a sink after 5 minutes that does not answer, so that a process which has just started reports it', async () => {
    let isAborted = false;
    const sink = (_rows: unknown, { signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener('abort', () => (isAborted = true));
      return new Promise(() => undefined);
    };
    const { limiter, running } = exportScene({ sink }, clock);
    await limiter.consume('ada');
    jest.setSystemTime(START + 2 * HOUR_MS);

    const done = running.run();
    await pass(300_000);

    const problem = 'the sink has failed: it has not answered within 5 minutes';
    expect(await done).toMatchObject({ age: HOUR_MS + 300_000, rows: 0, problem });
    expect(isAborted).toBe(true);
  });

  it('is repeated less and less often for rows that the sink keeps, up to its usual interval', async () => {
    const times: number[] = [];
    const sink = (rows: readonly UsageRow[]) => {
      times.push((Date.now() - START - 2 * HOUR_MS) / 60_000);
      return { kept: rows.map(({ id }) => ({ id, reason: 'unknown' })) };
    };
    const { limiter, running } = exportScene({ sink }, clock);
    await limiter.consume('ada');
    jest.setSystemTime(START + 2 * HOUR_MS);
    await running.run();

    await pass(4 * HOUR_MS);

    expect(times).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
    expect(running.status().age).toBe(5 * HOUR_MS);
  });

  it('does not leave out tiers that another export does not have', async () => {
    const store = memoryStore({ clock: () => START + 2 * HOUR_MS });
    const tier = { key: () => 'all', limit: 9, window: '1h', usage: usage() } as const;
    createLimiter({
      store,
      tiers: [
        { ...tier, name: 'a' },
        { ...tier, name: 'b' },
      ],
    });
    const scans = jest.spyOn(usageLedgerOf(store)!, 'open');
    for (const name of ['a', 'b']) closeLater(exportUsage(store, { sink: () => undefined, tiers: [name] }));

    await pass(120_000);

    expect(scans).toHaveBeenCalledTimes(2);
  });
});

describe('the rows of an export', () => {
  it('sum to what was charged, over failures of the sink, settlements and refunds of any time', async () => {
    let calls = 0;
    const table = new Map<string, UsageRow>();
    const { limiter, running, advance } = exportScene({
      sink: (rows) => {
        calls += 1;
        if (calls % 3 === 0) throw new Error('away');
        for (const row of rows) table.set(row.id, row);
        // It has stored them, as a sink may that answers too late.
        if (calls % 3 === 1) throw new Error('late');
      },
    });
    const users = ['a', 'b', 'c'];
    let charged = 0;
    for (let step = 0; step < 400; step += 1) {
      const user = users[step % 3]!;
      const cost = 1 + (step % 7);
      const decision = await limiter.consume(user, { cost });
      if (!decision.allowed) continue;
      advance((step % 11) * 600_000);
      if (step % 5 === 0) {
        await limiter.settle(decision, step % 3);
        charged += step % 3;
      } else if (step % 13 === 0) await limiter.refund(decision);
      else charged += cost;
      if (step % 9 === 0) await running.run();
    }
    advance(3 * HOUR_MS);
    for (let run = 0; run < 9; run += 1) await running.run();

    const used = await Promise.all(users.map((user) => usageOf(limiter).read(user)));
    const counted = used.flat().reduce((sum, { units }) => sum + units, 0);
    expect([...table.values()].reduce((sum, { units }) => sum + units, 0)).toBe(charged);
    expect(counted).toBe(charged);
  });
});
