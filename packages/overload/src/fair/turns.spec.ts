import { Line } from '../../../core/src/waiting/line.js';
import type { Place } from '../../../core/src/waiting/place.js';
import type { Checked, Work } from '../../../core/src/waiting/work.js';
import { Turns } from './turns.js';

/** An answer. Denied ones name the milliseconds until the next check. */
interface Verdict extends Checked {
  readonly pause?: number;
  readonly isCrowded?: true;
}

const ADMITTED: Verdict = { outcomes: [] };
const FULL: Verdict = { outcomes: [], pause: 50 };
const CROWDED: Verdict = { outcomes: [], pause: 50, isCrowded: true };

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** A line whose checks are answered by hand. Work is named by its caller and a number. */
function scene() {
  const onEmpty = jest.fn();
  const order = new Turns<Verdict>(({ isCrowded }) => isCrowded === true);
  const line = new Line<Verdict>({ most: 1, isAdmitted: ({ pause }) => pause === undefined, onEmpty }, order);
  /** The work whose check waits for an answer. */
  const sent: string[] = [];
  const left: string[] = [];
  const givenBack: string[] = [];
  let answer: ((verdict: Verdict | Promise<Verdict>) => void) | undefined;
  const enter = (name: string, { weight = 1, cost = 1, wait = 10_000, signal = new AbortController().signal } = {}) => {
    const work: Work<Verdict> = {
      ask: () =>
        new Promise((resolve) => {
          sent.push(name);
          answer = resolve;
        }),
      pauseAfter: ({ pause }) => (pause === Infinity ? undefined : pause),
      giveBack: () => givenBack.push(name),
      wait,
      turn: { caller: name.split(' ')[0]!, weight, cost },
      onLeave(leave) {
        signal.addEventListener('abort', leave);
        return () => signal.removeEventListener('abort', leave);
      },
    };
    return line.enter(work).then((verdict) => {
      if (verdict === undefined) left.push(name);
      return verdict;
    });
  };
  const answers = async (...verdicts: readonly (Verdict | Promise<Verdict>)[]) => {
    for (const verdict of verdicts) {
      answer!(verdict);
      await jest.advanceTimersByTimeAsync(0);
      await new Promise(setImmediate);
    }
  };
  return { line, onEmpty, sent, left, givenBack, enter, answers };
}

describe('Turns', () => {
  it('lets callers take turns, however much work each has', async () => {
    const { enter, sent, answers } = scene();
    for (const name of ['a 1', 'a 2', 'a 3', 'b 1', 'c 1', 'b 2']) void enter(name);

    await answers(ADMITTED, ADMITTED, ADMITTED, ADMITTED, ADMITTED, ADMITTED);

    expect(sent).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3']);
  });

  it('gives a caller of weight 2 two units while one of weight 1 gets one', async () => {
    const { enter, sent, answers } = scene();
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) void enter(name, { weight: 2 });
    for (const name of ['b 1', 'b 2', 'b 3']) void enter(name);
    for (const name of ['c 1', 'c 2']) void enter(name, { cost: 2 });

    await answers(...Array.from({ length: 9 }, () => ADMITTED));

    expect(sent).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3', 'a 4', 'c 2', 'b 3']);
  });

  it('passes on the turn of a caller that is denied for its share, and pauses when all are', async () => {
    const { enter, sent, answers } = scene();
    for (const name of ['a 1', 'b 1', 'c 1']) void enter(name);

    await answers(CROWDED, CROWDED, CROWDED);
    const before = sent.length;
    await jest.advanceTimersByTimeAsync(50);

    expect([before, sent]).toEqual([3, ['a 1', 'b 1', 'c 1', 'a 1']]);
  });

  it('asks behind the others for a caller that was denied for its share, until 20 ms later', async () => {
    const { enter, line, sent, answers } = scene();
    for (const name of ['a 1', 'b 1', 'b 2', 'b 3', 'a 2']) void enter(name);
    await answers(CROWDED, ADMITTED, FULL);

    // A unit of b that is released is for b as long as a has its share in another process.
    line.wake();
    await answers(ADMITTED, FULL);
    await jest.advanceTimersByTimeAsync(20);
    line.wake();

    expect(sent).toEqual(['a 1', 'b 1', 'b 2', 'b 2', 'b 3', 'a 1']);
  });

  it('asks immediately for a caller that was denied for its share when the others are denied too', async () => {
    const { enter, line, sent, answers } = scene();
    for (const name of ['a 1', 'b 1', 'b 2']) void enter(name);
    await answers(CROWDED, ADMITTED, FULL);

    line.wake();
    await answers(CROWDED);

    expect(sent).toEqual(['a 1', 'b 1', 'b 2', 'b 2', 'a 1']);
  });

  it('asks for a caller that enters while the others pause for their shares', async () => {
    const { enter, sent, answers } = scene();
    void enter('a 1');
    await answers(CROWDED);

    void enter('b 1');
    void enter('a 2');

    expect(sent).toEqual(['a 1', 'b 1']);
  });

  it('asks for no caller while no unit is left, until something is released or the pause is over', async () => {
    const { enter, line, sent, answers } = scene();
    void enter('a 1');
    await answers(FULL);
    void enter('a 2');
    const paused = sent.length;

    line.wake();
    const woken = sent.length;
    await answers(FULL);
    await jest.advanceTimersByTimeAsync(50);

    expect([paused, woken, sent]).toEqual([1, 2, ['a 1', 'a 1', 'a 1']]);
  });

  it('asks immediately for a new caller while no unit is left', async () => {
    const { enter, sent, answers } = scene();
    void enter('a 1');
    await answers(FULL);

    void enter('b 1');
    void enter('b 2');
    await answers(FULL);

    expect(sent).toEqual(['a 1', 'b 1']);
  });

  it('asks again immediately when something was released during a check', async () => {
    const { enter, line, sent, answers } = scene();
    void enter('a 1');

    line.wake();
    await answers(FULL);

    expect(sent).toEqual(['a 1', 'a 1']);
  });

  it('gives back what work gets that has left, and asks for the next', async () => {
    const { enter, sent, left, givenBack, answers, onEmpty } = scene();
    const controller = new AbortController();
    const leaves = enter('a 1', { signal: controller.signal });
    const times = enter('b 1', { wait: 60 });
    const stays = enter('c 1');
    await answers(FULL, FULL, FULL);
    await jest.advanceTimersByTimeAsync(50);

    controller.abort();
    await answers(ADMITTED);
    await jest.advanceTimersByTimeAsync(10);
    await answers(ADMITTED, ADMITTED);

    expect([await leaves, await times, await stays]).toEqual([undefined, undefined, ADMITTED]);
    expect([left, givenBack, sent.at(-1)]).toEqual([['a 1', 'b 1'], ['a 1', 'b 1'], 'c 1']);
    expect([onEmpty.mock.calls.length, jest.getTimerCount()]).toEqual([1, 0]);
  });

  it('knows a caller whose only work asks when the pause of the others ends', async () => {
    const { enter, answers } = scene();
    void enter('a 1');
    const second = enter('a 2');
    await answers(ADMITTED, FULL);
    const admitted = enter('b 1');

    await jest.advanceTimersByTimeAsync(50);
    await answers(ADMITTED, ADMITTED);

    expect([await admitted, await second]).toEqual([ADMITTED, ADMITTED]);
  });

  it('rejects with the error of a check, and resolves with a denial that ends the wait', async () => {
    const { enter, answers } = scene();
    const never: Verdict = { outcomes: [], pause: Infinity };
    const entered = [enter('a 1'), enter('b 1')];
    const settled = Promise.allSettled(entered);

    await answers(Promise.reject(new Error('mine')), never);

    expect(await settled).toMatchObject([{ reason: { message: 'mine' } }, { value: never }]);
  });

  it('lets all work leave when it closes', async () => {
    const { enter, line, sent, onEmpty } = scene();
    const entered = [enter('a 1'), enter('b 1'), enter('a 2')];

    await line.close();

    expect([await Promise.all(entered), sent]).toEqual([[undefined, undefined, undefined], ['a 1']]);
    expect([onEmpty.mock.calls.length, jest.getTimerCount()]).toEqual([1, 0]);
  });

  it('asks for at most 100 new callers while it pauses, because the store remembers no more', async () => {
    const { enter, sent, answers } = scene();
    for (let caller = 0; caller < 300; caller += 1) void enter(`${caller} 1`);

    await answers(...Array.from({ length: 101 }, () => FULL));

    expect(sent).toHaveLength(100);
  });

  it.each([1_000, 20_000])(
    'compares as often as the logarithm of %i callers grows, for each that is admitted',
    (size) => {
      let compared = 0;
      const order = new Turns<Verdict>(
        () => true,
        (one, other) => {
          compared += 1;
          return one.start === other.start ? one.number < other.number : one.start < other.start;
        },
      );
      const work = (caller: number) => ({ turn: { caller: `${caller}`, weight: 1 + (caller % 3), cost: 1 } }) as never;
      const place = (number: number) =>
        ({ number, work: work(number % size), isSent: false }) as never as Place<Verdict>;
      for (let number = 0; number < size; number += 1) order.add(place(number));

      for (let number = size; number < 3 * size; number += 1) {
        const next = order.next(false)!;
        order.delete(next);
        // A tenth is denied for its share first.
        if (number % 10 === 0) {
          order.add(next);
          order.onDenied(next, CROWDED);
          order.retry(true);
          continue;
        }
        order.onAdmitted(next);
        order.add(place(number));
      }

      expect(compared / (2 * size)).toBeLessThan(4 * Math.log2(size));
    },
  );
});
