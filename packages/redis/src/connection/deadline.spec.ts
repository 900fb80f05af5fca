import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Deadline, type Expiring } from './deadline.js';

const MILLISECONDS = 50;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A call that starts now, and adds its name to a list when it expires. */
class NamedCall implements Expiring {
  readonly dueAt = performance.now() + MILLISECONDS;
  isSettled = false;

  constructor(
    readonly deadline: Deadline,
    readonly name: string,
    readonly expired: string[],
  ) {
    deadline.watch(this);
  }

  expire(): void {
    this.settle();
    this.expired.push(this.name);
  }

  settle(): void {
    this.isSettled = true;
    this.deadline.settle();
  }
}

function watching() {
  const deadline = new Deadline(MILLISECONDS);
  const expired: string[] = [];
  return { deadline, expired, watch: (name: string) => new NamedCall(deadline, name, expired) };
}

describe('Deadline', () => {
  it('expires calls once, in the order of their start, and not early', () => {
    const { expired, watch } = watching();
    watch('one');
    watch('other of the same turn');
    jest.advanceTimersByTime(20);
    watch('later');

    jest.advanceTimersByTime(29);
    const early = [...expired];
    jest.advanceTimersByTime(6);
    const first = [...expired];
    jest.advanceTimersByTime(1_000);

    expect(early).toEqual([]);
    expect(first).toEqual(['one', 'other of the same turn']);
    expect(expired).toEqual([...first, 'later']);
  });

  it('gives each call the same time, whenever it starts', () => {
    const { expired, watch } = watching();
    const waits: number[] = [];
    for (let start = 0; start < 200; start += 7) {
      watch(String(performance.now()));
      jest.advanceTimersByTime(7);
      while (waits.length < expired.length) waits.push(performance.now() - Number(expired[waits.length]));
    }

    expect(waits.length).toBeGreaterThan(15);
    // A step of this spec, and a millisecond of the timer.
    for (const wait of waits) expect(Math.abs(wait - MILLISECONDS)).toBeLessThanOrEqual(8);
  });

  it('does not expire a settled call', () => {
    const { expired, watch } = watching();
    const one = watch('one');
    watch('other');

    jest.advanceTimersByTime(20);
    one.settle();
    jest.advanceTimersByTime(1_000);

    expect(expired).toEqual(['other']);
  });

  it('has one timer for concurrent calls', () => {
    const { watch } = watching();

    for (let index = 0; index < 1_000; index += 1) watch(String(index));

    expect(jest.getTimerCount()).toBe(1);
  });

  it('starts at most one timer per deadline for calls that settle in time', () => {
    const { expired, watch } = watching();
    const setTimer = jest.spyOn(globalThis, 'setTimeout');

    for (let index = 0; index < 1_000; index += 1) {
      const call = watch(String(index));
      jest.advanceTimersByTime(1);
      call.settle();
    }
    const timers = setTimer.mock.calls.length;
    setTimer.mockRestore();

    expect(timers).toBeLessThanOrEqual(1_000 / MILLISECONDS + 1);
    expect(expired).toEqual([]);
  });

  it('expires a call that starts while others expire, a whole deadline later', () => {
    const { expired, watch } = watching();
    const first = watch('first');
    watch('second');
    const expire = first.expire.bind(first);
    first.expire = () => {
      expire();
      watch('third');
    };

    jest.advanceTimersByTime(MILLISECONDS + 1);
    const once = [...expired];
    jest.advanceTimersByTime(MILLISECONDS + 1);

    expect(once).toEqual(['first', 'second']);
    expect(expired).toEqual(['first', 'second', 'third']);
    expect(jest.getTimerCount()).toBe(0);
  });
});

// Only real timers keep a process alive and hold on to garbage.
describe('Deadline with real timers', () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

  beforeEach(() => jest.useRealTimers());

  it('keeps the process alive only while a call is in flight', () => {
    const { watch } = watching();
    const before = timers();

    const one = watch('one');
    const inFlight = timers();
    one.settle();
    const settled = timers();
    const other = watch('other');
    const again = timers();
    other.settle();

    expect([inFlight, settled, again, timers()].map((count) => count - before)).toEqual([1, 0, 1, 0]);
  });

  it('does not hold on to a settled call while another is in flight', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { watch } = watching();
    let first: NamedCall | undefined = watch('first');
    const reference = new WeakRef(first);
    const other = watch('other');

    first.settle();
    first = undefined;
    await new Promise((resolve) => setImmediate(resolve));
    collect();

    expect(reference.deref()).toBeUndefined();
    other.settle();
  });
});
