import { anyTime, dayTime, epochTime, isoTime } from './log-time.js';

const TIME = Date.UTC(2026, 10, 20, 8, 0, 1);

describe('dayTime', () => {
  it('reads the time zone', () => {
    expect([dayTime('20/Nov/2026:08:00:01 +0000'), dayTime('20/Nov/2026:00:30:01 -0730')]).toEqual([TIME, TIME]);
  });

  it('reads no other text', () => {
    expect(['', '20/Foo/2026:08:00:01 +0000', '20/Nov/2026:08:00:01', 'x'].map(dayTime)).toEqual(
      Array.from({ length: 4 }, () => Number.NaN),
    );
  });
});

describe('epochTime', () => {
  it('tells seconds, milliseconds, microseconds and nanoseconds apart', () => {
    const moment = TIME + 1.5;

    expect([moment / 1e3, moment, moment * 1e3, moment * 1e6].map(epochTime)).toEqual(
      Array.from({ length: 4 }, () => moment),
    );
  });

  it('takes no small number for a time', () => {
    expect([0, -1, 200, 1e300, Number.NaN].map(epochTime)).toEqual(Array.from({ length: 5 }, () => Number.NaN));
  });
});

describe('isoTime', () => {
  it('needs a time zone', () => {
    expect([
      isoTime('2026-11-20T08:00:01Z'),
      isoTime('2026-11-20T10:00:01.000+02:00'),
      isoTime('2026-11-20T08:00:01'),
    ]).toEqual([TIME, TIME, Number.NaN]);
  });
});

describe('anyTime', () => {
  it('reads numbers, their texts and dates', () => {
    const spellings = [TIME, String(TIME / 1e3), '2026-11-20T08:00:01Z', '20/Nov/2026:08:00:01 +0000'];

    expect(spellings.map(anyTime)).toEqual(spellings.map(() => TIME));
    expect([undefined, null, {}, [TIME], ''].map(anyTime)).toEqual(Array.from({ length: 5 }, () => Number.NaN));
  });
});
