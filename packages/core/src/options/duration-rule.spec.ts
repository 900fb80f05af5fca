import { durationRule } from './duration-rule.js';

describe('durationRule', () => {
  const window = { range: '1 ms to 400 days', max: 400 * 8.64e10, example: "60000 or '1m'" };
  const units = 'must be a duration from 1 ms to 400 days, in ms, s, m, h, d or w';

  it.each([
    ['1 minute', "'1m'"],
    ['15 Minutes', "'15m'"],
    ['1min', "'1m'"],
    ['1M', "'1m'"],
    ['1h30m', "'90m'"],
    ['1 h, 30 min', "'90m'"],
    ['1.5 hrs', "'90m'"],
    [' 1s ', "'1s'"],
    ['2 weeks', "'2w'"],
    ['500 msec', "'500ms'"],
    ['60', "60 for milliseconds, or '60s' for seconds"],
  ])('says what to write instead of %j', (value, instead) => {
    expect(durationRule(value, window)).toBe(`${units}: write ${instead}`);
  });

  it.each(['', '1 parsec', '1 month', 'minute', 'PT1M', '-1s', '1/m', '2 years', '500 days'])(
    'lists the units for %j',
    (value) => {
      expect(durationRule(value, window)).toBe(`${units}, such as 60000 or '1m'`);
    },
  );

  it.each([0, -1, NaN, null, true, {}, '0.1 ms', '401d'])('names the range for %p', (value) => {
    expect(durationRule(value, window)).toBe("must be a duration from 1 ms to 400 days, such as 60000 or '1m'");
  });
});
