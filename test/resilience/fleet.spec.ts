import { fleetOutage, type FleetRow } from './fleet-outage.js';

describe('three processes with a third of each limit while they are alone', () => {
  let rows: FleetRow[];

  beforeAll(async () => {
    rows = await fleetOutage();
  }, 60_000);

  const told = (what: keyof FleetRow) => rows.map((row) => `${row.name}: ${row[what]}`);
  const expected = (of: (row: FleetRow) => number) => rows.map((row) => `${row.name}: ${of(row)}`);

  it('share every limit while there is a Redis', () => {
    expect(told('together')).toEqual(expected(({ limit }) => limit));
  });

  it('admit their shares while it is gone, which are two units more than the limit at most', () => {
    expect(told('apart')).toEqual(expected(({ limit }) => 3 * Math.ceil(limit / 3)));
    expect(rows.filter(({ apart, limit }) => apart > limit + 2)).toEqual([]);
  });

  it('share every limit again when it is back', () => {
    expect(told('togetherAgain')).toEqual(expected(({ limit }) => limit));
  });

  it('have no share anew when it goes for the second time', () => {
    expect(told('apartAgain')).toEqual(expected(() => 0));
  });
});
