import { OtherProcesses } from './other-processes.js';
import type { ProcessSummary } from './process-summary.js';

/** What a process says that has admitted so many requests. */
function summaryOf(id: string, uptime: number, ok: number): ProcessSummary {
  const outcomes = { within: ok, near: 0, over: 0, never: 0, paid: 0, 'not-needed': 0 };
  return {
    version: 3,
    id,
    uptime,
    isDegraded: false,
    decisions: { ok, denied: 0, never: 0, unavailable: 0, shed: 0 },
    tiers: ok === 0 ? [] : [{ name: 'minute', shadow: false, outcomes, denied: 0, sending: ok }],
    denied: [],
    sending: [{ tier: 'minute', digest: id.padEnd(22, '-'), count: ok, error: 0 }],
  };
}

const admitted = (others: OtherProcesses) => others.counted().decisions.ok;

describe('OtherProcesses', () => {
  it('adds up what they have counted', () => {
    const others = new OtherProcesses();

    others.add(summaryOf('one', 1, 5), 0);
    others.add(summaryOf('two', 1, 7), 0);
    others.add(summaryOf('one', 2, 6), 2_000);

    expect(admitted(others)).toBe(13);
    expect(others.counted().tiers).toMatchObject([{ name: 'minute', outcomes: { within: 13 } }]);
    expect(others.total('sending', 'minute', 2_000)).toBe(13);
  });

  it('says what is new since the summary before, and nothing of the first one', () => {
    const others = new OtherProcesses();

    const first = others.add(summaryOf('one', 1, 5), 0);
    const second = others.add(summaryOf('one', 2, 8), 2_000);

    expect(first).toBeUndefined();
    expect(second).toMatchObject({ decisions: { ok: 3 }, tiers: [{ name: 'minute', outcomes: { within: 3 } }] });
  });

  it('says nothing of what was counted in a pause', () => {
    const others = new OtherProcesses();
    others.add(summaryOf('one', 1, 5), 0);

    expect(others.add(summaryOf('one', 60_000, 500), 60_000)).toBeUndefined();
    expect(admitted(others)).toBe(500);
  });

  it('lists a process for ten seconds, and keeps its counts', () => {
    const others = new OtherProcesses();
    others.add(summaryOf('one', 1, 5), 0);

    expect(others.states(9_999)).toMatchObject([{ id: 'one', age: 9_999 }]);
    expect(others.states(10_000)).toEqual([]);
    expect(others.identities('sending', 10_000)).toEqual([]);
    expect(admitted(others)).toBe(5);
  });

  it('does not take the same summary for a sign of life', () => {
    const others = new OtherProcesses();
    others.add(summaryOf('one', 1, 5), 0);

    others.add(summaryOf('one', 1, 5), 8_000);

    expect(others.states(8_000)).toMatchObject([{ age: 8_000 }]);
  });

  it('keeps a tier that a full summary leaves out', () => {
    const others = new OtherProcesses();
    others.add(summaryOf('one', 1, 5), 0);

    others.add({ ...summaryOf('one', 2, 6), tiers: [] }, 2_000);

    expect(others.counted().tiers).toMatchObject([{ name: 'minute', outcomes: { within: 5 } }]);
  });

  it('keeps the sum of those that it knows no more', () => {
    const others = new OtherProcesses();

    for (let index = 0; index < 1_000; index += 1) others.add(summaryOf(`process-${index}`, 1, 2), index);

    expect(admitted(others)).toBe(2_000);
    expect(others.states(1_000)).toHaveLength(256);
  });
});
