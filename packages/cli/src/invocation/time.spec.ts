import { parseTime } from './time.js';

describe('parseTime', () => {
  it.each([
    ['500ms', 500],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
  ])('reads %s', (text, milliseconds) => {
    expect(parseTime(text)).toBe(milliseconds);
  });

  it.each(['', '5', '0s', '-1s', 's', '1 s', '1w'])('refuses %j', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });
});
