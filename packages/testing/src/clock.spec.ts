import { fakeClock } from './clock.js';

describe('fakeClock', () => {
  it('returns the same time until it is moved', () => {
    const clock = fakeClock(1_000);

    expect([clock(), clock()]).toEqual([1_000, 1_000]);
  });

  it('counts microseconds exactly', () => {
    const clock = fakeClock();
    const start = clock() * 1e3;

    for (let passed = 1; passed <= 10_000; passed += 1) {
      clock.advance(0.001);
      expect(Math.round(clock() * 1e3)).toBe(start + passed);
    }
  });

  it('advances by milliseconds, by fractions of them and by texts', () => {
    const clock = fakeClock(0);

    clock.advance(1);
    clock.advance(0.007);
    clock.advance('1m');

    expect(clock()).toBe(60_001.007);
  });

  it('steps in both directions', () => {
    const clock = fakeClock(10);

    clock.step('1s');
    clock.step(-1_003);

    expect(clock()).toBe(7);
  });

  it('can be set', () => {
    const clock = fakeClock();

    clock.set(5);

    expect(clock()).toBe(5);
  });

  it('rejects invalid times, and negative advances', () => {
    const clock = fakeClock();

    expect(() => clock.advance(-1)).toThrow('use step');
    expect(() => clock.advance('soon')).toThrow('got soon');
    expect(() => clock.set(Number.NaN)).toThrow('got NaN');
  });
});
