import { loopWatch } from './loop-watch.js';

describe('loopWatch', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is one for the process, ticks each 10 ms from the first request on, and ends 10 s after the last', () => {
    const watch = loopWatch();
    const late: number[] = [];
    watch.listen((_now, each) => late.push(each));
    const before = jest.getTimerCount();

    watch.use();
    loopWatch().use();
    const running = jest.getTimerCount();
    jest.advanceTimersByTime(9_000);
    watch.use();
    jest.advanceTimersByTime(10_000);

    expect([before, running, jest.getTimerCount()]).toEqual([0, 1, 0]);
    expect(late).toHaveLength(1_900);
    expect(Math.max(...late)).toBe(0);
  });

  it('tells a request how late the next tick is', () => {
    const watch = loopWatch();
    watch.use();

    expect([watch.late(watch.now()), watch.late(watch.now() + 250)]).toEqual([-10, 240]);
    jest.advanceTimersByTime(20_000);
  });
});
