import { soak, type SoakReport } from './soak.js';
import { soakFaults } from './faults.js';
import { trendOf, type Sample } from './samples.js';
import { brokenBy } from './verdict.js';

describe('a soak test of some seconds', () => {
  let report: SoakReport;

  beforeAll(async () => {
    report = await soak({ lasts: 5_000, seed: 1 });
  }, 60_000);

  it('stays within every bound', () => {
    expect(report.bouts.length).toBeGreaterThan(0);
    expect(brokenBy(report)).toEqual([]);
  });

  it('repeats from its seed', async () => {
    const again = await soak({ lasts: 1, seed: 1 });

    expect(again.bouts[0]).toMatchObject({ fault: report.bouts[0]!.fault, lasted: report.bouts[0]!.lasted });
  });
});

describe('the verdict of a soak test', () => {
  const sample: Sample = { at: 0, heap: 10_000_000, keys: 18, timers: 1, handles: 9 };
  const after = (minute: number, more: Partial<Sample> = {}) => ({
    fault: soakFaults[0]!,
    lasted: 1_000,
    longest: 60,
    lag: 2,
    decidedBy: { redis: 100, local: 10, allow: 10, deny: 10 },
    rejections: [],
    dishonest: [],
    recovery: 100,
    admitted: 100,
    counted: 100,
    unsure: 0,
    ghosts: 0,
    sample: { ...sample, at: minute * 60_000, ...more },
  });
  const minutes = Array.from({ length: 40 }, (_, minute) => minute);

  it('passes when nothing grows', () => {
    expect(brokenBy({ before: sample, bouts: minutes.map((minute) => after(minute)) })).toEqual([]);
  });

  it('fails for a growing heap', () => {
    const bouts = minutes.map((minute) => after(minute, { heap: 10_000_000 + 50_000 * minute }));

    expect(brokenBy({ before: sample, bouts })).toEqual([expect.stringMatching(/^the heap has grown by \d+ bytes$/)]);
    expect(
      trendOf(
        bouts.map((bout) => bout.sample),
        'heap',
      ).slope,
    ).toBeCloseTo(3_000_000);
  });

  it.each([
    [{ keys: 19 }, '19 keys are left, and 18 were there'],
    [{ timers: 2 }, '2 timers are left, and 1 were there'],
    [{ handles: 10 }, '10 handles are left, and 9 were there'],
  ])('fails for %j', (more, broken) => {
    expect(brokenBy({ before: sample, bouts: [after(1), after(2, more)] })).toEqual([`killed: ${broken}`]);
  });

  it.each([
    [{ longest: 78 }, 'a decision took 78 ms, and 77 ms are allowed'],
    [{ rejections: [new Error('no')] }, '1 decisions were rejected: Error: no'],
    [{ ghosts: 1 }, '1 requests were counted after the end'],
    [{ counted: 102, unsure: 1 }, 'Redis has counted 102 requests, with 100 admitted and 1 without a reply'],
    [{ recovery: 3_001 }, 'Redis has decided again 3001 ms after its first PONG'],
  ])('fails for %j', (more, broken) => {
    expect(brokenBy({ before: sample, bouts: [{ ...after(1), ...more }] })).toEqual([`killed: ${broken}`]);
  });
});
