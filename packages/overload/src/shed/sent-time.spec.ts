import { readSentTime } from './sent-time.js';

describe('readSentTime', () => {
  it.each([
    ['t=1700000000.123', 1_700_000_000_123],
    ['1700000000.123', 1_700_000_000_123],
    ['t=1700000000', 1_700_000_000_000],
    ['t=1700000000123', 1_700_000_000_123],
    ['1700000000123', 1_700_000_000_123],
    ['t=1700000000123456', 1_700_000_000_123.456],
    ['1700000000123456', 1_700_000_000_123.456],
  ])('reads %s', (text, time) => {
    expect(readSentTime(text)).toBeCloseTo(time, 3);
  });

  it.each([
    '',
    't=',
    't=0',
    '-1700000000',
    '17000000001',
    '1e9',
    'NaN',
    'Infinity',
    '0x6553f100',
    '1700000000,1700000000',
  ])('does not read "%s"', (text) => {
    expect(readSentTime(text)).toBeUndefined();
  });

  it('does not read a header that came twice', () => {
    expect(readSentTime('t=1700000000.123, t=1700000000.124')).toBeUndefined();
  });
});
