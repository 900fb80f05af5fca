import { fleetOutage, type FleetRow } from './outage.js';

describe('three processes with a share of a third', () => {
  let rows: FleetRow[];

  beforeAll(async () => {
    rows = await fleetOutage();
  });

  const admissionsOf = (what: keyof FleetRow) => rows.map((row) => `${row.name}: ${row[what]}`);
  const expected = (of: (row: FleetRow) => number) => rows.map((row) => `${row.name}: ${of(row)}`);

  it('share every limit with Redis', () => {
    expect(admissionsOf('together')).toEqual(expected(({ limit }) => limit));
  });

  it('admit their shares without it, at most two units more than the limit', () => {
    expect(admissionsOf('apart')).toEqual(expected(({ limit }) => 3 * Math.ceil(limit / 3)));
    expect(rows.filter(({ apart, limit }) => apart > limit + 2)).toEqual([]);
  });

  it('share every limit again afterwards', () => {
    expect(admissionsOf('togetherAgain')).toEqual(expected(({ limit }) => limit));
  });

  it('get no new share in a second outage', () => {
    expect(admissionsOf('apartAgain')).toEqual(expected(() => 0));
  });
});
