import { rowsOf, type Row } from '../../bench/src/measure/row.js';
import { CPU_ALONE, type Sample } from '../../bench/src/measure/sample.js';
import type { PartName, Table } from '../../bench/src/parts/bench.js';
import { barsOf } from '../../bench/src/report/bars.js';
import { withRerun, type Report } from '../../bench/src/report/report.js';

describe('rowsOf', () => {
  it('finds the added CPU of requests without sockets between lower quartiles, because disturbed turns take longer', () => {
    const bare = [10, 10, 10, 90].map(unsent);
    const limited = [13, 13, 80, 13].map(unsent);
    const samples = limited.map((sample, turn) => ({ sample, before: bare[turn]!, after: bare[(turn + 1) % 4]! }));

    const [row] = rowsOf([{ name: 'limited', kind: 'sluice' }], new Map([['limited', samples]]));

    expect(row!.addedCpu).toBe(3);
  });
});

describe('withRerun', () => {
  it('replaces the results of the parts that were measured again, and names the run', () => {
    const report = (parts: readonly PartName[], title: string, commit: string) =>
      ({
        parts,
        mode: 'full',
        minutes: 9,
        environment: { date: '2026-11-26', commit },
        tables: parts.map((part) => tableOf(part, title, [])),
        footprints: [],
      }) as unknown as Report;
    const whole = report(['redis', 'http'], 'first', 'a');

    const merged = withRerun(withRerun(whole, report(['redis'], 'second', 'b')), report(['redis'], 'third', 'c'));

    expect(merged.tables.map(({ part, title }) => [part, title])).toEqual([
      ['http', 'first'],
      ['redis', 'third'],
    ]);
    expect(merged.reruns).toEqual([{ parts: ['redis'], mode: 'full', minutes: 9, date: '2026-11-26', commit: 'c' }]);
    expect(merged.environment.commit).toBe('a');
  });
});

describe('barsOf', () => {
  const reportOf = (...tables: readonly Table[]) =>
    ({ tables, footprints: [], parts: [], mode: 'full' }) as unknown as Report;
  const measuredIn = (report: Report, work: string) =>
    barsOf(report).flatMap((bar) => (bar.work.includes(work) ? [{ beside: bar.beside, measured: bar.measured }] : []));

  it('compares what three tiers add with what one tier and a peer add', () => {
    const table = tableOf('unsent', 'Without sockets: Fastify, memory', [
      { contestant: 'Sluice, memory', addedCpu: 2 },
      { contestant: 'Sluice, memory, three fixed windows', addedCpu: 3 },
      { contestant: '@fastify/rate-limit, memory', kind: 'peer', addedCpu: 1 },
    ]);

    expect(measuredIn(reportOf(table), 'Fastify: three tiers')).toEqual([
      { beside: 'Sluice, memory', measured: 1.5 },
      { beside: '@fastify/rate-limit, memory', measured: 3 },
    ]);
  });

  it('compares the first requests of a process with the peer that adds least', () => {
    const table = tableOf('cold', 'Cold: Express, memory, the first 5 000 requests of a process', [
      { contestant: 'Sluice, memory', addedCpu: 6 },
      { contestant: 'express-rate-limit, memory', kind: 'peer', addedCpu: 8 },
      { contestant: 'rate-limiter-flexible, memory', kind: 'peer', addedCpu: 5 },
    ]);

    expect(measuredIn(reportOf(table), 'cold: Express')).toEqual([
      { beside: 'rate-limiter-flexible, memory', measured: 1.2 },
    ]);
  });

  it('compares checks by CPU: of limiters in memory, and of many addresses with few', () => {
    const limiters = tableOf('limiters', 'Limiters in memory', [
      { contestant: 'Sluice fixed-window, limiter', cpuRatio: 2 },
      { contestant: 'hitlimit, limiter', kind: 'peer', cpuRatio: 3 },
    ]);
    const addresses = tableOf('addresses', 'Memory: limits by address', [
      { contestant: 'Sluice, one tier, 50 000 addresses', cpuRatio: 1.4 },
      { contestant: 'Sluice, three tiers, 50 000 addresses', cpuRatio: 3 },
      { contestant: 'Sluice, three tiers, 1 000 addresses', cpuRatio: 2 },
    ]);

    expect(measuredIn(reportOf(limiters, addresses), 'a limiter in memory')).toEqual([
      { beside: 'hitlimit, limiter', measured: 1.5 },
      { beside: undefined, measured: undefined },
      { beside: undefined, measured: 1.4 },
      { beside: undefined, measured: 1.5 },
    ]);
  });

  it('compares a full store in memory with one that has room, and counts the bytes of an address', () => {
    const addresses = tableOf('addresses', 'Memory: limits by address', [
      { contestant: 'Sluice, one tier, 30 000 addresses', cpuRatio: 2 },
      { contestant: 'Sluice, one tier, 30 000 addresses, room for 20 000', cpuRatio: 3 },
      { contestant: 'Sluice, three tiers, 50 000 addresses', cpuRatio: 2 },
      { contestant: 'Sluice, three tiers, 50 000 addresses, room for 33 000', cpuRatio: 5 },
    ]);
    const contestant = 'Sluice, an address in 3 tiers';
    const footprints = [{ where: 'heap', contestant, kind: 'sluice', bytes: 599.6 }] as const;

    expect(measuredIn(reportOf(addresses), 'a full store')).toEqual([
      { beside: undefined, measured: 1.5 },
      { beside: undefined, measured: 2.5 },
    ]);
    expect(measuredIn({ ...reportOf(addresses), footprints }, 'an address in memory')).toEqual([
      { beside: undefined, measured: 600 },
    ]);
  });

  it('has no bar for work that the run of the report did not know', () => {
    const works = barsOf(reportOf()).map(({ work }) => work);

    expect(works.filter((work) => /without sockets|import|50 000|overrides|full store|an address/.test(work))).toEqual(
      [],
    );
  });
});

function unsent(cpu: number): Sample {
  return { ...CPU_ALONE, rate: 1 / cpu, cpu, userCpu: cpu, isUnsent: true };
}

function tableOf(part: PartName, title: string, rows: readonly (Partial<Row> & Pick<Row, 'contestant'>)[]): Table {
  return { part, title, reference: 'bare', rows: rows.map((row) => ({ kind: 'sluice', slices: 1, ...row }) as Row) };
}
