import { warningCatcher } from '../../../../test/support/warnings.js';
import { createLimiter } from '../limiter/limiter.js';
import { CoolDown } from '../limiter/cool-down.js';
import { run } from '../limiter/run.js';
import { ipList } from '../../../http/src/lists/ip-list.js';
import { redisStore } from '../../../redis/src/redis-store.js';
import { readDuration } from './read-duration.js';

const key = () => 'ada';
const HOUR = { range: '1 ms to 1 h', max: 3.6e9, example: "1000 or '1s'" };
const CODE = 'SLUICE_DURATION_IN_MILLISECONDS';

describe('readDuration', () => {
  const warnings = warningCatcher();

  it('warns of a number that may mean seconds, once for each option', () => {
    for (const value of ['60ms', 1_000, 60, 61]) readDuration(value, 'tier "one"', 'window', HOUR);
    readDuration(30, 'tier "two"', 'delays[0]', HOUR);
    readDuration(60, 'tier "two"', 'delays[1]', HOUR);

    expect(warnings()).toEqual([
      [CODE, "tier \"one\": window is 60 milliseconds: write '60s' for seconds, or '60ms' if you mean it"],
      [CODE, "tier \"two\": delays[0] is 30 milliseconds: write '30s' for seconds, or '30ms' if you mean it"],
    ]);
  });

  it('gives no warning of 0, of an option whose unit is the millisecond, or of a number that is an error', () => {
    expect(readDuration(0, 'tier', 'wait', { ...HOUR, min: 0 })).toBe(0);
    expect(readDuration(50, 'redisStore', 'deadline', { ...HOUR, isShort: true })).toBe(50_000);
    expect(readDuration(5, 'tier', 'hold', { ...HOUR, min: 1e6 })).toMatch("1 ms to 1 h: write '5s' for seconds");
    expect(warnings()).toEqual([]);
  });
});

describe('A duration', () => {
  const warnings = warningCatcher();

  it.each<[option: string, value: number, use: () => unknown]>([
    ['tier "one": window', 60, () => createLimiter({ name: 'one', key, limit: 5, window: 60 })],
    [
      'tier "one": windows[0].window',
      1,
      () =>
        createLimiter({
          tiers: [
            {
              name: 'one',
              key,
              algorithm: 'multi-window',
              windows: [
                { limit: 5, window: 1 },
                { limit: 9, window: 60 },
              ],
            },
          ],
        }),
    ],
    [
      'tier "one": delays[0]',
      30,
      () =>
        createLimiter({
          tiers: [{ name: 'one', key, algorithm: 'backoff', limit: 5, window: '1h', delays: [30, 60], forgive: 'all' }],
        }),
    ],
    [
      'tier "one": lease.duration',
      5,
      () => createLimiter({ name: 'one', key, limit: 5, window: '1m', lease: { units: 2, duration: 5 } }),
    ],
    ['tier "one": wait', 2, () => createLimiter({ name: 'one', key, algorithm: 'concurrency', limit: 1, wait: 2 })],
    ['tier "one": retry', 5, () => createLimiter({ name: 'one', key, algorithm: 'concurrency', limit: 1, retry: 5 })],
    [
      'redisStore: connectDeadline',
      2,
      () => redisStore({ url: 'redis://127.0.0.1:1' }, { connectDeadline: 2 }).close(),
    ],
    ['ipList: refresh', 300, () => ipList({ name: 'blocked', refresh: 300 })],
    ['run: wait', 5, () => run(createLimiter({ name: 'one', key, limit: 5, window: '1m' }), {}, () => 1, { wait: 5 })],
    ['pause: the duration', 10, () => createLimiter({ name: 'one', key, algorithm: 'pause' }).pause({}, 10)],
    ['CoolDown: the duration', 10, () => new CoolDown(10)],
    [
      'coolDown: the duration',
      7,
      () => run(createLimiter({ name: 'one', key, algorithm: 'pause' }), {}, () => 1, { coolDown: () => 7 }),
    ],
  ])('gives a warning for %s: %d', async (option, value, use) => {
    await use();

    const instead = `write '${value}s' for seconds, or '${value}ms' if you mean it`;
    expect(warnings()).toEqual([
      [CODE, expect.stringMatching(`^${escaped(option)} is ${value} milliseconds: ${instead}$`)],
    ]);
  });

  it('gives no warning where its number is measured or usually small', async () => {
    await redisStore({ url: 'redis://127.0.0.1:1' }, { deadline: 50 }).close();
    CoolDown.of({ headers: { 'retry-after-ms': '120' } });
    createLimiter({ name: 'one', key, algorithm: 'concurrency', limit: 1, wait: 0 });

    expect(warnings()).toEqual([]);
  });
});

/** A tier's messages name its algorithm too. */
function escaped(option: string): string {
  return option.replace(/[[\].]/g, String.raw`\$&`).replace('"one"', String.raw`"one"(?: \([a-z-]+\))?`);
}
