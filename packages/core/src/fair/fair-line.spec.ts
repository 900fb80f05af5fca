import { FairLine } from './fair-line.js';
import type { Checked, Work } from '../waiting/line.js';

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
  const line = new FairLine<Verdict>({
    isAdmitted: ({ pause }) => pause === undefined,
    isCrowded: ({ isCrowded }) => isCrowded === true,
    onEmpty,
  });
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

describe('FairLine', () => {
  it('lets callers take turns, however much work each has', async () => {
    const { enter, sent, answers } = scene();
    for (const name of ['a 1', 'a 2', 'a 3', 'b 1', 'c 1', 'b 2']) void enter(name);

    await answers(ADMITTED, ADMITTED, ADMITTED, ADMITTED, ADMITTED, ADMITTED);

    expect(sent).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3']);
  });

  it('gives a caller as many units in a round as its weight', async () => {
    const { enter, sent, answers } = scene();
    for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) void enter(name, { weight: 2 });
    for (const name of ['b 1', 'b 2']) void enter(name);
    void enter('c 1', { cost: 2 });

    await answers(...Array.from({ length: 7 }, () => ADMITTED));

    expect(sent).toEqual(['a 1', 'a 2', 'b 1', 'a 3', 'a 4', 'b 2', 'c 1']);
  });

  it('passes on the turn of a caller that is denied for its share, and pauses when all are', async () => {
    const { enter, sent, answers } = scene();
    for (const name of ['a 1', 'b 1', 'c 1']) void enter(name);

    await answers(CROWDED, CROWDED, CROWDED);
    const before = sent.length;
    await jest.advanceTimersByTimeAsync(50);

    expect([before, sent]).toEqual([3, ['a 1', 'b 1', 'c 1', 'a 1']]);
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

  it('asks at once for a new caller while no unit is left', async () => {
    const { enter, sent, answers } = scene();
    void enter('a 1');
    await answers(FULL);

    void enter('b 1');
    void enter('b 2');
    await answers(FULL);

    expect(sent).toEqual(['a 1', 'b 1']);
  });

  it('asks again at once when something was released during a check', async () => {
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
    const times = enter('b 1', { wait: 20 });
    const stays = enter('a 2');

    controller.abort();
    await answers(ADMITTED, FULL);
    await jest.advanceTimersByTimeAsync(50);
    await answers(ADMITTED, ADMITTED);

    expect([await leaves, await times, await stays]).toEqual([undefined, undefined, ADMITTED]);
    expect([left, givenBack, sent.at(-1)]).toEqual([['a 1', 'b 1'], ['a 1', 'b 1'], 'a 2']);
    expect([onEmpty.mock.calls.length, jest.getTimerCount()]).toEqual([1, 0]);
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

    line.close();

    expect([await Promise.all(entered), sent]).toEqual([[undefined, undefined, undefined], ['a 1']]);
    expect([onEmpty.mock.calls.length, jest.getTimerCount()]).toEqual([1, 0]);
  });
});
