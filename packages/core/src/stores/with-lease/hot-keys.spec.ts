import { HotKeys } from './hot-keys.js';

/** Whether a request finds its key hot, as the lease asks. */
function isHot(hotKeys: HotKeys, key: string, now: number, duration: number): boolean {
  return hotKeys.samples() && hotKeys.note(key, now, duration);
}

describe('HotKeys', () => {
  it('finds a key hot at about 128 requests within the duration of its lease', () => {
    const hotKeys = new HotKeys();
    const counts = Array.from({ length: 300 }, (_, period) => {
      let requests = 1;
      while (!isHot(hotKeys, `key-${period}`, period * 500, 500)) requests += 1;
      return requests;
    });

    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;

    expect(Math.abs(mean - 128)).toBeLessThan(8);
    expect(Math.min(...counts)).toBeGreaterThan(50);
    expect(Math.max(...counts)).toBeLessThan(256);
  });

  it('finds keys hot that take turns, as several tiers of one request do', () => {
    const hotKeys = new HotKeys();
    const found = new Set<string>();

    for (let request = 0; request < 8 * 400; request += 1) {
      const key = `key-${request % 8}`;
      if (isHot(hotKeys, key, 0, 1_000)) found.add(key);
    }

    expect(found.size).toBe(8);
  });

  it.each([
    [100, 100],
    [60_000, 1_000],
  ])('counts from zero after a period: a lease of %i ms has one of %i ms', (duration, period) => {
    const hotKeys = new HotKeys(2, 1);

    expect(hotKeys.note('key', 0, duration)).toBe(false);
    expect(hotKeys.note('key', period, duration)).toBe(false);
    expect(hotKeys.note('key', 2 * period - 1, duration)).toBe(true);
  });

  it('counts every request if it samples one in one', () => {
    const hotKeys = new HotKeys(1, 1);

    expect(Array.from({ length: 1_000 }, () => hotKeys.samples())).not.toContain(false);
  });

  it('finds next to no key hot when requests spread evenly over 10 000 keys', () => {
    const hotKeys = new HotKeys();
    const found = new Set<string>();

    for (let request = 0; request < 900_000; request += 1) {
      const key = `rl:{${request % 10_000}}:user`;
      if (isHot(hotKeys, key, request / 300, 1_000)) found.add(key);
    }

    expect(found.size).toBeLessThan(4);
  });
});
