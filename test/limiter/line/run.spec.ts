import { createLimiter, memoryStore, run, type Store, type Tier } from '../../../packages/core/src/index.js';
import { line } from '../../../packages/overload/src/line/index.js';
import { fakeClock } from '../../../packages/testing/src/clock.js';

interface Job {
  readonly key: string;
}

const job: Job = { key: 'shared' };

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

/** A bucket of 10 units that refills one a second and is empty, and limiters on it like those of several processes. */
async function scene(processes: number, others: readonly object[] = []) {
  const clock = fakeClock();
  const store: Store = memoryStore({ clock });
  const key = (each: Job) => each.key;
  const bucket = { name: 'shared', key, algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 };
  const limiters = Array.from({ length: processes }, () => {
    const tiers = [{ ...bucket, line: line({ longest: '1h', keep: '2s' }) }, ...others] as unknown as Tier<Job>[];
    return createLimiter<Job>({ store, secret: 'pepper', tiers });
  });
  const asked = limiters.map((limiter) => jest.spyOn(limiter as never, 'consumeIn' as never) as jest.SpyInstance);
  await limiters[0]!.consume(job, { cost: 10 });
  const began: [name: string, second: number][] = [];
  const start = clock();
  const begin = (process: number, name: string, signal?: AbortSignal) =>
    run(limiters[process]!, job, () => void began.push([name, (clock() - start) / 1e3]), {
      wait: '1h',
      ...(signal && { signal }),
    });
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 1) {
      clock.advance(1);
      await jest.advanceTimersByTimeAsync(1);
    }
  };
  /** What the requests of a process have said of a place. */
  const placesOf = (process: number) =>
    asked[process]!.mock.calls.map(([, options]: [Job, { readonly place?: string | true }]) => options.place);
  return { clock, limiters, began, begin, pass, placesOf };
}

describe('run with a line that keeps places', () => {
  it('has processes take turns by their places, with one denial for each job', async () => {
    const { began, begin, pass, placesOf } = await scene(3);
    const jobs = [begin(0, 'a'), begin(1, 'b'), begin(2, 'c')];
    await pass(0);
    jobs.push(...[0, 1, 2].map((process) => begin(process, `${process} again`)));

    await pass(6_500);
    await Promise.all(jobs);

    expect(began.map(([name]) => name)).toEqual(['a', 'b', 'c', '0 again', '1 again', '2 again']);
    expect(began.map(([, second]) => Math.floor(second))).toEqual([1, 2, 3, 4, 5, 6]);
    for (const process of [0, 1, 2]) expect(placesOf(process).filter((place) => place === true)).toHaveLength(2);
  });

  it('brings its place back at its moment, and is let in before a stranger who comes first', async () => {
    const { limiters, began, begin, pass, placesOf } = await scene(1);
    const ran = begin(0, 'a');
    await pass(1_000);

    const stranger = await limiters[0]!.consume(job);
    await pass(10);
    await ran;

    expect(stranger.allowed).toBe(false);
    expect(began.map(([name]) => name)).toEqual(['a']);
    expect(placesOf(0)).toEqual([true, expect.any(String)]);
  });

  it('brings the same place again when another tier has denied it at its moment', async () => {
    const other = {
      name: 'other',
      key: () => 'all',
      cost: () => 1,
      algorithm: 'fixed-window',
      limit: 2,
      window: '1500ms',
    };
    const { limiters, began, begin, pass, placesOf } = await scene(1, [other]);
    const ran = begin(0, 'a');
    await pass(500);
    await limiters[0]!.consume({ key: 'other work' });

    await pass(2_000);
    await ran;

    const [, first, again] = placesOf(0);
    expect([first, again]).toEqual([expect.any(String), first]);
    expect(began.map(([name]) => name)).toEqual(['a']);
    // Denied for half a second at 1.0: `run` waits up to a tenth longer, at random.
    const [[, second]] = began as [[string, number]];
    expect(second).toBeGreaterThanOrEqual(1.5);
    expect(second).toBeLessThanOrEqual(1.551);
  });

  it('drops the place of work that leaves, whose unit goes to the next job', async () => {
    const { began, begin, pass, placesOf } = await scene(2);
    const leaving = new AbortController();
    const left = begin(0, 'a', leaving.signal);
    await pass(0);
    const other = begin(1, 'b');
    await pass(500);

    leaving.abort();
    const denied = await left;
    const again = begin(0, 'c');
    await pass(3_500);
    await Promise.all([other, again]);

    expect(denied.admitted).toBe(false);
    expect(began.map(([name]) => name)).toEqual(['b', 'c']);
    const [first, ofNext] = [placesOf(0)[0], placesOf(0)[1]];
    expect([first, ofNext]).toEqual([true, true]);
  });
});
