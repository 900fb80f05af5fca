import * as fc from 'fast-check';

import { decodeSummary, encodeSummary, type ProcessSummary } from './process-summary.js';

const outcomes = { within: 1, near: 2, over: 3, never: 4, paid: 0, 'not-needed': 0 };
const summary: ProcessSummary = {
  version: 3,
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
    expect(decodeSummary(encodeSummary(summary), 3)).toEqual(summary);
  });

  it('has the outcomes of a balance', () => {
    const credits = { ...summary.tiers[0]!, name: 'credits', outcomes: { ...outcomes, paid: 5, 'not-needed': 6 } };
    const two = { ...summary, tiers: [...summary.tiers, credits] };

    expect(decodeSummary(encodeSummary(two), 3)).toEqual(two);
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
    expect((decodeSummary(text, 3) as ProcessSummary).tiers[0]!.name).toBe(name(0));
    expect((decodeSummary(text, 3) as ProcessSummary).decisions).toEqual(summary.decisions);
  });
});

describe('decodeSummary', () => {
  it('ignores a summary of another version', () => {
    expect(decodeSummary('{"version":1}', 3)).toBeUndefined();
  });

  it.each(['', 'null', '1', '{}', '{"version":3}', '[]', 'x', '{"version":"3"}'])('takes %j for no summary', (text) => {
    expect(decodeSummary(text, 3)).toBe('unreadable');
  });

  it('takes in no more than 8 KiB', () => {
    const text = JSON.stringify({ ...(JSON.parse(encodeSummary(summary)) as object), id: 'x'.repeat(9_000) });

    expect(decodeSummary(text, 3)).toBe('unreadable');
  });

  it('is a summary with every member in its form, or none, for any JSON', () => {
    const valid = JSON.parse(encodeSummary(summary)) as Record<string, unknown>;
    const members = Object.keys(valid).filter((name) => name !== 'version');
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(-1, 1.5, 1e300, '', null, [], {}, [[]]));
    fc.assert(
      fc.property(fc.constantFrom(...members), odd, (name, value) => {
        const decoded = decodeSummary(JSON.stringify({ ...valid, [name]: value }), 3);
        const again = typeof decoded === 'object' ? decodeSummary(encodeSummary(decoded), 3) : 'unreadable';
        expect(again).toEqual(decoded);
      }),
      { numRuns: 2_000 },
    );
  });
});
