import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Deadline, type Expiring } from './deadline.js';

const MILLISECONDS = 50;

let setTimer: jest.SpyInstance;

beforeEach(() => {
  jest.useFakeTimers();
  setTimer = jest.spyOn(globalThis, 'setTimeout');
});

afterEach(() => {
  setTimer.mockRestore();
  jest.useRealTimers();
});

/** Something that is watched from now on, and notes in a list that its time was over. */
class Call implements Expiring {
  readonly due = performance.now() + MILLISECONDS;
  settled = false;
  readonly #deadline: Deadline;
  readonly #name: string;
  readonly #over: string[];

  constructor(deadline: Deadline, name: string, over: string[]) {
    this.#deadline = deadline;
    this.#name = name;
    this.#over = over;
    deadline.watch(this);
  }

  expire(): void {
    this.settled = true;
    this.#over.push(this.#name);
  }

  settle(): void {
    this.settled = true;
    this.#deadline.settle();
  }
}

function watching() {
  const deadline = new Deadline(MILLISECONDS);
  const over: string[] = [];
  return { deadline, over, watch: (name: string) => new Call(deadline, name, over) };
}

describe('a deadline', () => {
  it('ends what is not settled when its time is over, and not before', () => {
    const { over, watch } = watching();
    watch('one');

    jest.advanceTimersByTime(49);
    const before = [...over];
    jest.advanceTimersByTime(2);

    expect([before, over]).toEqual([[], ['one']]);
  });

  it('ends each once, in the order in which they began', () => {
    const { over, watch } = watching();
    watch('one');
    watch('another of the same turn');
    jest.advanceTimersByTime(20);
    watch('later');

    jest.advanceTimersByTime(35);
    const first = [...over];
    jest.advanceTimersByTime(1_000);

    expect(first).toEqual(['one', 'another of the same turn']);
    expect(over).toEqual([...first, 'later']);
  });

  it('gives each all of its time, whenever it began', () => {
    const { over, watch } = watching();
    const ends: number[] = [];
    for (let began = 0; began < 200; began += 7) {
      watch(String(began));
      jest.advanceTimersByTime(7);
      while (ends.length < over.length) ends.push(performance.now());
    }

    const waits = over.map((name, index) => ends[index]! - ends[0]! - (Number(name) - Number(over[0])));

    expect(over.length).toBeGreaterThan(15);
    // A step of this test, and a millisecond of the timer.
    for (const wait of waits) expect(Math.abs(wait)).toBeLessThanOrEqual(8);
  });

  it('leaves alone what is settled in time', () => {
    const { over, watch } = watching();
    const [one, other] = [watch('one'), watch('other')];

    jest.advanceTimersByTime(20);
    one.settle();
    jest.advanceTimersByTime(1_000);

    expect(over).toEqual(['other']);
    expect(one.settled && other.settled).toBe(true);
  });

  it('takes one timer for all that are under way at the same time', () => {
    const { watch } = watching();

    for (let index = 0; index < 1_000; index += 1) watch(String(index));

    expect(jest.getTimerCount()).toBe(1);
    expect(setTimer).toHaveBeenCalledTimes(1);
  });

  it('takes no timer for each of those that are settled in time, one after the other', () => {
    const { over, watch } = watching();

    for (let index = 0; index < 1_000; index += 1) {
      const call = watch(String(index));
      jest.advanceTimersByTime(1);
      call.settle();
    }

    // One in 50 ms at most: the timer of the first runs out, and the next one takes another.
    expect(setTimer.mock.calls.length).toBeLessThanOrEqual(1_000 / MILLISECONDS + 1);
    expect(over).toEqual([]);
  });

  it('keeps nothing of what is settled', () => {
    const { deadline, over, watch } = watching();
    for (let index = 0; index < 10; index += 1) watch('early').settle();

    watch('late');
    jest.advanceTimersByTime(1_000);

    expect(over).toEqual(['late']);
    expect(jest.getTimerCount()).toBe(0);
    expect(deadline.milliseconds).toBe(MILLISECONDS);
  });

  it('ends in time what begins while others are ended', () => {
    const { deadline, over, watch } = watching();
    const first = watch('first');
    watch('second');
    first.expire = () => {
      first.settled = true;
      watch('third');
    };

    jest.advanceTimersByTime(MILLISECONDS + 1);
    const between = [...over];
    jest.advanceTimersByTime(MILLISECONDS + 1);

    expect([between, over]).toEqual([['second'], ['second', 'third']]);
    expect(deadline.milliseconds).toBe(MILLISECONDS);
  });

  it('watches anew what begins when the time of another is over', () => {
    const { deadline, over } = watching();
    const chain = (name: string, next?: () => void) => {
      const timed = {
        due: performance.now() + MILLISECONDS,
        settled: false,
        expire() {
          timed.settled = true;
          over.push(name);
          next?.();
        },
      };
      deadline.watch(timed);
    };
    chain('first', () => chain('second', () => chain('third')));

    jest.advanceTimersByTime(60);
    const once = [...over];
    jest.advanceTimersByTime(200);

    expect([once, over]).toEqual([['first'], ['first', 'second', 'third']]);
  });
});

describe('the time of something that takes several calls', () => {
  it('is over when the deadline is', async () => {
    const { deadline } = watching();
    const ended = jest.fn();
    void deadline.timeLimit().over.then(ended);

    await jest.advanceTimersByTimeAsync(49);
    const before = ended.mock.calls.length;
    await jest.advanceTimersByTimeAsync(2);

    expect([before, ended.mock.calls.length]).toEqual([0, 1]);
  });

  it('is never over when it was stopped before, however often', async () => {
    const { deadline, watch } = watching();
    const ended = jest.fn();
    const span = deadline.timeLimit();
    void span.over.then(ended);
    const other = watch('other');

    span.stop();
    span.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    span.stop();

    expect(ended).not.toHaveBeenCalled();
    expect(other.settled).toBe(true);
  });
});

describe('a process', () => {
  // What keeps a process up is only seen of real timers.
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

  it('is kept up by a deadline while something is waited for, and not a moment longer', () => {
    jest.useRealTimers();
    const { watch } = watching();
    const before = timers();

    const one = watch('one');
    const [waiting] = [timers()];
    one.settle();
    const settled = timers();
    const other = watch('other');
    const again = timers();
    other.settle();

    expect([waiting, settled, again, timers()].map((count) => count - before)).toEqual([1, 0, 1, 0]);
  });

  it('is not made to hold on to what is settled while something else is under way', async () => {
    jest.useRealTimers();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { watch } = watching();
    let first: Call | undefined = watch('first');
    const held = new WeakRef(first);
    const other = watch('other');

    first.settle();
    first = undefined;
    await new Promise((resolve) => setImmediate(resolve));
    collect();

    expect(held.deref()).toBeUndefined();
    other.settle();
  });
});
