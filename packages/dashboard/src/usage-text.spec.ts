import { usageText } from './usage-text.js';

const HOUR = 3_600_000;
const NOW = Date.UTC(2027, 0, 1, 12, 30);

describe('usageText', () => {
  it('sums the hour, a day and all that is stored', () => {
    const from = (age: number) => Date.UTC(2027, 0, 1, 12) - age * HOUR;
    const hours = [
      { from: from(800), units: 4_000 },
      { from: from(24), units: 200 },
      { from: from(23), units: 30 },
      { from: from(0), units: 4 },
    ];

    const text = usageText({ tier: 'month', units: 4_234, hours }, NOW);

    expect(text).toBe('usage: 4 units in this hour, 34 in 24 hours, 4 234 in 62 days');
  });
});
