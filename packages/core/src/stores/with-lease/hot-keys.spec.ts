import { HotKeys } from './hot-keys.js';

describe('HotKeys', () => {
  it('finds a key hot at 128 requests within the duration of its lease', () => {
    const hotKeys = new HotKeys();

    const hot = Array.from({ length: 140 }, (_, index) => hotKeys.note('key', index, 500));

    expect(hot.indexOf(true)).toBe(127);
    expect(hot.slice(127)).toEqual(Array(13).fill(true));
  });

  it.each([
    [100, 100],
    [60_000, 1_000],
  ])('counts from zero after a period: a lease of %i ms has one of %i ms', (duration, period) => {
    const hotKeys = new HotKeys(2);

    expect(hotKeys.note('key', 0, duration)).toBe(false);
    expect(hotKeys.note('key', period, duration)).toBe(false);
    expect(hotKeys.note('key', 2 * period - 1, duration)).toBe(true);
  });

  it('finds no key hot when requests spread evenly over 10 000 keys', () => {
    const hotKeys = new HotKeys();
    let found = 0;

    for (let request = 0; request < 300_000; request += 1) {
      if (hotKeys.note(`rl:{${request % 10_000}}:user`, request / 300, 1_000)) found += 1;
    }

    expect(found).toBe(0);
  });
});
