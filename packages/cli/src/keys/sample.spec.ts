import { Sample } from './sample.js';

describe('Sample', () => {
  it('has all values while they are few', () => {
    const sample = new Sample<number>(5);
    for (let value = 0; value < 4; value += 1) sample.add(value);

    expect(sample.values).toEqual([0, 1, 2, 3]);
  });

  it('has some of many values, from everywhere among them', () => {
    const sample = new Sample<number>(100);
    for (let value = 0; value < 100_000; value += 1) sample.add(value);

    const late = sample.values.filter((value) => value >= 50_000).length;
    expect(new Set(sample.values).size).toBe(100);
    // A fair coin leaves this range once in 10^9 times.
    expect(late).toBeGreaterThan(20);
    expect(late).toBeLessThan(80);
  });
});
