import { Arrival } from './arrival.js';
import { Line } from './line.js';
import type { Checked, Work } from './work.js';

/** An answer. Denied ones name the milliseconds until the next check. */
interface Verdict extends Checked {
  readonly pause?: number;
}

const ADMITTED: Verdict = { outcomes: [] };
const denied = (pause: number): Verdict => ({ outcomes: [], pause });

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** A line whose checks are answered by hand. */
function scene(most = 1) {
  const onEmpty = jest.fn();
  const line = new Line<Verdict>({ most, isAdmitted: ({ pause }) => pause === undefined, onEmpty }, new Arrival());
  const answers: ((answer: Verdict | Promise<Verdict>) => void)[] = [];
  const givenBack: Verdict[] = [];
  const work = (wait = 1_000, controller = new AbortController()): Work<Verdict> => ({
    ask: () => new Promise((resolve) => answers.push(resolve)),
    pauseAfter: ({ pause }) => pause,
    giveBack: (answer) => givenBack.push(answer),
    wait,
    onLeave(leave) {
      controller.signal.addEventListener('abort', leave);
      return () => controller.signal.removeEventListener('abort', leave);
    },
  });
  const answer = async (verdict: Verdict | Promise<Verdict>) => {
    answers.shift()!(verdict);
    await jest.advanceTimersByTimeAsync(0);
  };
  return { line, onEmpty, answers, answer, work, givenBack };
}

describe('Line', () => {
  it('asks again immediately when something was released during the check of its first work', async () => {
    const { line, answers, answer, work } = scene();
    const entered = line.enter(work());

    line.wake();
    await answer(denied(500));
    const sent = answers.length;
    await answer(ADMITTED);

    expect([sent, await entered]).toEqual([1, ADMITTED]);
  });

  it('asks when something is released, before the pause of its first work is over', async () => {
    const { line, answers, answer, work } = scene();
    const entered = line.enter(work(), denied(500));
    const before = answers.length;

    line.wake();
    await answer(ADMITTED);

    expect([before, await entered]).toEqual([0, ADMITTED]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects with the error of a check, and lets the next work ask', async () => {
    const { line, answer, work } = scene();
    const entered = [line.enter(work()), line.enter(work())];
    const settled = Promise.allSettled(entered);

    await answer(Promise.reject(new Error('mine')));
    await answer(ADMITTED);

    expect(await settled).toMatchObject([{ reason: { message: 'mine' } }, { value: ADMITTED }]);
  });

  it.each(['time is over', 'client has left'] as const)('gives back what work gets whose %s', async (why) => {
    const { line, answer, work, givenBack, onEmpty } = scene();
    const controller = new AbortController();
    const leaves = line.enter(work(100, controller), denied(10));
    const stays = line.enter(work());

    await jest.advanceTimersByTimeAsync(10);
    if (why === 'time is over') await jest.advanceTimersByTimeAsync(90);
    else controller.abort();
    const left = await leaves;
    await answer(ADMITTED);
    await answer(ADMITTED);

    expect([left, givenBack, await stays]).toEqual([undefined, [ADMITTED], ADMITTED]);
    expect(onEmpty).toHaveBeenCalledTimes(1);
  });

  it('lets all work leave when it closes, and asks for none of it', async () => {
    const { line, answers, work, onEmpty } = scene();
    const entered = [line.enter(work(), denied(10)), line.enter(work()), line.enter(work())];

    await line.close();

    expect([await Promise.all(entered), answers]).toEqual([[undefined, undefined, undefined], []]);
    expect(onEmpty).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends checks together until one is denied, and one by one after it', async () => {
    const { line, answers, answer, work } = scene(Infinity);
    const entered = [line.enter(work()), line.enter(work()), line.enter(work())];
    const together = answers.length;

    for (let check = 0; check < 3; check += 1) await answer(denied(10));
    await jest.advanceTimersByTimeAsync(10);
    const alone = answers.length;
    for (let check = 0; check < 3; check += 1) await answer(ADMITTED);

    expect([together, alone, await Promise.all(entered)]).toEqual([3, 1, [ADMITTED, ADMITTED, ADMITTED]]);
  });

  it('has no check of its own for work that enters behind others', async () => {
    const { line, answers, answer, work } = scene();
    const entered = [line.enter(work()), line.enter(work())];
    const sent = answers.length;

    await answer(ADMITTED);
    await answer(ADMITTED);

    expect([sent, await Promise.all(entered)]).toEqual([1, [ADMITTED, ADMITTED]]);
  });

  it('rejects for all 20 000 whose checks throw immediately, as the checks of a closed store do', async () => {
    const { line, work } = scene();
    const ask = () => {
      throw new Error('closed');
    };
    const entered = Array.from({ length: 20_000 }, () => line.enter({ ...work(), ask }));

    const answered = await Promise.allSettled(entered);

    expect(answered.filter(({ status }) => status === 'rejected')).toHaveLength(20_000);
  });

  it('answers 20 000 when it closes, at most 250 of them in a turn of the event loop', async () => {
    const { line, work } = scene();
    let answered = 0;
    const turns = [0];
    const denial = denied(10);
    for (let each = 0; each < 20_000; each += 1) {
      void line.enter({ ...work(), ask: () => new Promise(() => {}) }, each === 0 ? denial : undefined).then(() => {
        answered += 1;
      });
    }
    const closed = line.close();
    const count = () => {
      turns.push(answered);
      if (answered < 20_000) setImmediate(count);
    };
    setImmediate(count);

    await closed;
    await new Promise(setImmediate);

    expect(answered).toBe(20_000);
    const steps = turns.slice(1).map((each, index) => each - turns[index]!);
    expect(Math.max(...steps)).toBeLessThanOrEqual(2 * 250);
  });

  it('lets the work of one owner leave, and asks for the others', async () => {
    const { line, answers, answer, work } = scene();
    const [owner, other] = [{}, {}];
    const theirs = [line.enter({ ...work(), owner }, denied(500)), line.enter({ ...work(), owner })];
    const stays = line.enter({ ...work(), owner: other });

    await line.leave((each) => each.owner === owner);
    const sent = answers.length;
    await answer(ADMITTED);

    expect([await Promise.all(theirs), sent, await stays]).toEqual([[undefined, undefined], 1, ADMITTED]);
  });
});
