import { manualShedder } from '../../../../test/support/manual-loop.js';
import { SHED } from '../../../http/src/gate/shedding.js';
import { loopWatch } from './loop-watch.js';
import { shedder } from './shedder.js';

const visit = { request: { ip: '203.0.113.9' }, captureAddress() {} };

describe('loopWatch', () => {
  // Each shedder has an immediate, for the warning of one that a handler makes.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => {
    jest.advanceTimersByTime(20_000);
    jest.useRealTimers();
  });

  it('is one for the process, ticks each 10 ms from the first request on, and ends 10 s after the last', () => {
    const late: number[] = [];
    const use = loopWatch().listen((_now, each) => {
      late.push(each);
      return true;
    });
    const useOther = loopWatch().listen(() => true);
    const before = jest.getTimerCount();

    use();
    useOther();
    const running = jest.getTimerCount();
    jest.advanceTimersByTime(9_000);
    use();
    jest.advanceTimersByTime(10_000);

    expect([before, running, jest.getTimerCount()]).toEqual([0, 1, 0]);
    expect(late).toHaveLength(1_900);
    expect(Math.max(...late)).toBe(0);
  });

  it('calls nobody to whom no request has come, and forgets the others 10 s after their last one', () => {
    const calls = new Array<number>(10_000).fill(0);
    const uses = calls.map((_, index) =>
      loopWatch().listen(() => {
        calls[index]! += 1;
        return true;
      }),
    );
    const called = () => calls.filter((times) => times > 0).length;
    uses[0]!();
    jest.advanceTimersByTime(1_000);
    const first = called();
    for (const use of uses) use();
    jest.advanceTimersByTime(9_000);
    uses[0]!();
    jest.advanceTimersByTime(1_000);
    calls.fill(0);
    jest.advanceTimersByTime(1_000);

    expect([first, called()]).toEqual([1, 1]);
  });

  it('calls on while the level of a shedder is above 0, which would meet the next request hours later', () => {
    let level = 1;
    let calls = 0;
    const use = loopWatch().listen(() => {
      calls += 1;
      return level === 0;
    });
    use();
    jest.advanceTimersByTime(15_000);
    level = 0;
    jest.advanceTimersByTime(15_000);

    expect(calls).toBe(1_501);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has no timer for shedders that are made and forgotten, or off', () => {
    for (let made = 0; made < 100; made += 1) shedder();
    void shedder({ mode: 'off' })[SHED](visit);
    const before = jest.getTimerCount();
    Object.assign(performance, { eventLoopUtilization: () => ({ active: 0 }) });
    void shedder()[SHED](visit);

    expect([before, jest.getTimerCount()]).toEqual([0, 1]);
  });

  it('tells a request how late the next tick is', () => {
    const watch = loopWatch();
    watch.listen(() => true)();

    expect([watch.late(watch.now()), watch.late(watch.now() + 250)]).toEqual([-10, 240]);
  });
});

describe('a shedder whose requests have stopped', () => {
  it('lets its ticks end at level 0, and not before', () => {
    const { loop } = manualShedder();
    loop.tick(1_000, 50);
    const above = loop.mayEnd;
    loop.tick(0, 1_000);

    expect([above, loop.mayEnd]).toEqual([[false], [true]]);
  });
});
