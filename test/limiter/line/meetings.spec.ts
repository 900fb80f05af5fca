import {
  createLimiter,
  type Decision,
  type Limiter,
  memoryStore,
  type Tier,
} from '../../../packages/core/src/index.js';
import { fakeClock } from '../../../packages/testing/src/clock.js';
import { line, type LineOptions } from '../../../packages/overload/src/line/index.js';

interface Worker {
  readonly worker?: string;
  readonly limit?: number;
}

const bucket = { name: 'shared', algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 } as const;
const by = ({ worker = 'zero' }: Worker) => worker;

/** A bucket of 10 units with a line, a unit a second, and what stands beside it. */
function lined(
  options: object = {},
  others: readonly object[] = [],
  { longest = '1h', maxKeys = 1_000, ...rest }: Partial<LineOptions<Worker>> & { maxKeys?: number } = { by },
) {
  const clock = fakeClock();
  const key = () => 'acme';
  const store = memoryStore({ clock, maxKeys });
  const tiers = (each: object) =>
    [{ ...bucket, key, line: line<Worker>({ longest, ...rest }), ...each }, ...others] as unknown as Tier<Worker>[];
  const limiter: Limiter<Worker> = createLimiter<Worker>({ store, secret: 'pepper', tiers: tiers(options) });
  const consume = (worker = 'zero', more: object = {}, cost = 1) =>
    limiter.consume({ worker, ...more }, { cost }) as Decision;
  const empty = () => void consume('zero', {}, 10);
  const told = (...workers: string[]) => workers.map((worker) => consume(worker).retryAfter / 1e3);
  return { clock, store, limiter, tiers, consume, empty, told };
}

describe('A line, beside what else a limiter has,', () => {
  it('goes on while its key is paused, and tells the end of the pause to those who come meanwhile', async () => {
    const { limiter, consume, empty, told, clock } = lined({}, [
      { name: 'stop', key: () => 'acme', algorithm: 'pause' },
    ]);
    empty();
    const before = told('ada', 'bob');
    await limiter.pause({}, '5s');
    clock.advance('1s');

    const [ada, eve] = [consume('ada'), consume('eve')];
    clock.advance('4s');

    expect(before).toEqual([1, 2]);
    expect([ada.retryAfter, eve.retryAfter]).toEqual([4_000, 4_000]);
    expect(consume('ada').allowed).toBe(true);
  });

  it('does not move in shadow, and denies nobody', () => {
    const { consume, empty, told } = lined({ mode: 'shadow' });
    empty();

    expect([told('ada', 'bob'), consume('eve').allowed]).toEqual([[0, 0], true]);
  });

  it('has no moment for a limit of 0, and goes on behind it', () => {
    const { consume, empty, told } = lined({ limit: ({ limit = 60 }: Worker) => limit, burst: undefined });
    empty();
    consume('zero', {}, 50);
    told('ada');

    expect(consume('bob', { limit: 0 })).toMatchObject({ allowed: false, reason: 'never' });
    expect(told('eve')).toEqual([2]);
  });

  it('moves at the pace of a lower limit from its reload on, and is another one for another algorithm', () => {
    const { limiter, tiers, empty, told } = lined();
    empty();
    const before = told('ada', 'bob');

    limiter.prepare(tiers({ limit: 30, burst: 5 })).commit();
    const lower = told('eve', 'dan', 'bob');
    limiter.prepare(tiers({ algorithm: 'fixed-window', burst: undefined })).commit();

    expect([before, lower]).toEqual([
      [1, 2],
      [4, 6, 2],
    ]);
    expect(told('fay')).toEqual([0]);
  });

  it('begins again once it is longer than its bound, and tells nobody more than that', () => {
    const { empty, told } = lined({}, [], { longest: '3s', by });
    empty();

    const waits = told(...Array.from({ length: 12 }, (_, index) => `worker ${index}`));

    expect(Math.max(...waits)).toBe(3);
    expect(waits.slice(0, 4)).toEqual([1, 2, 3, 1]);
  });

  it('loses places before counts where a memory store is full, and admits no more for it', () => {
    const { clock, consume, empty, told } = lined({}, [], { longest: '1h', by, maxKeys: 16 });
    empty();
    told(...Array.from({ length: 40 }, (_, index) => `worker ${index}`));
    clock.advance('3s');

    const admitted = Array.from({ length: 20 }, (_, index) => consume(`other ${index}`).allowed);

    expect(admitted.filter(Boolean).length).toBeLessThanOrEqual(3);
  });

  it('keeps a place whose request a full limit in flight denies', async () => {
    const running = { name: 'running', key: () => 'acme', algorithm: 'concurrency', limit: 1 };
    const { limiter, clock, consume, told } = lined({}, [running]);
    const first = consume('zero', {}, 1);
    // One in flight is the limit, and the others have emptied the bucket before.
    await limiter.release(first);
    for (let unit = 0; unit < 9; unit += 1) await limiter.release(consume('zero'));
    told('ada', 'bob');
    clock.advance('1s');
    const ada = consume('ada');
    clock.advance('1s');

    const held = consume('bob');
    await limiter.release(ada);

    expect([ada.allowed, held.allowed, held.deniedBy]).toEqual([true, false, ['running']]);
    expect([consume('eve').allowed, consume('bob').allowed]).toEqual([false, true]);
  });
});
