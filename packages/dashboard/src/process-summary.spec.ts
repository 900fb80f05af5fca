import { decodeSummary, encodeSummary, type ProcessSummary } from './process-summary.js';

const outcomes = { within: 1, near: 2, over: 3, never: 4, paid: 0, 'not-needed': 0 };
const summary: ProcessSummary = {
  version: 2,
  id: 'abc',
  uptime: 12,
  isDegraded: true,
  decisions: { ok: 1, denied: 2, never: 3, unavailable: 4, shed: 0 },
  tiers: [{ name: 'minute', shadow: true, outcomes, denied: 5, sending: 6 }],
  denied: [{ tier: 'minute', digest: 'a'.repeat(22), count: 7, error: 1 }],
  sending: [{ tier: 'minute', digest: 'b'.repeat(22), count: 8, error: 0 }],
};

describe('encodeSummary', () => {
  it('is read by decodeSummary', () => {
    expect(decodeSummary(encodeSummary(summary), 2)).toEqual(summary);
  });

  it('has the outcomes of a balance', () => {
    const credits = { ...summary.tiers[0]!, name: 'credits', outcomes: { ...outcomes, paid: 5, 'not-needed': 6 } };
    const two = { ...summary, tiers: [...summary.tiers, credits] };

    expect(decodeSummary(encodeSummary(two), 2)).toEqual(two);
  });

  it('leaves out labels, which stay in the memory of a process', () => {
    const labelled = { ...summary.denied[0]!, label: 'Ada' };

    expect(encodeSummary({ ...summary, denied: [labelled] })).not.toContain('Ada');
  });

  it('has at most 8 KiB, and the busiest tiers', () => {
    const name = (index: number) => `${index}-`.padEnd(64, 'x');
    const tiers = Array.from({ length: 200 }, (_, index) => ({ ...summary.tiers[0]!, name: name(index) }));
    const denied = Array.from({ length: 32 }, (_, index) => ({ ...summary.denied[0]!, tier: name(index) }));

    const text = encodeSummary({ ...summary, tiers, denied, sending: denied });

    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192);
    expect(decodeSummary(text, 2)!.tiers[0]!.name).toBe(name(0));
    expect(decodeSummary(text, 2)!.decisions).toEqual(summary.decisions);
  });
});

describe('decodeSummary', () => {
  it.each(['', 'null', '1', '{}', '{"version":1}', 'x'])(
    'ignores %j, which is of another program or version',
    (text) => {
      expect(decodeSummary(text, 2)).toBeUndefined();
    },
  );
});
