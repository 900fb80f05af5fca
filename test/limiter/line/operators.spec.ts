import {
  createLimiter,
  type Decision,
  type Duration,
  memoryStore,
  type Tier,
} from '../../../packages/core/src/index.js';
import { line } from '../../../packages/overload/src/line/index.js';
import { overridesOf } from '../../../packages/policies/src/overrides/index.js';
import { fakeClock } from '../../../packages/testing/src/clock.js';

interface Worker {
  readonly worker: string;
  readonly key?: string;
}

const bucket = { name: 'shared', algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 } as const;
/** In milliseconds. */
const MINUTE = 60_000;
const reason = 'ticket 4711';
const acme = { tier: 'shared', identity: 'acme' };

/** A bucket of 10 units with a line, a unit a second. */
function lined(options: object = {}, longest: Duration = '1h') {
  const clock = fakeClock();
  const by = ({ worker }: Worker) => worker;
  const tier = { ...bucket, key: ({ key = 'acme' }: Worker) => key, line: line<Worker>({ longest, by }), ...options };
  const limiter = createLimiter<Worker>({
    store: memoryStore({ clock }),
    tiers: [tier] as unknown as Tier<Worker>[],
  });
  const consume = (worker: string, cost = 1, key?: string) =>
    limiter.consume(key === undefined ? { worker } : { worker, key }, { cost }) as Decision;
  const told = (...workers: string[]) => workers.map((worker) => consume(worker).retryAfter / 1e3);
  return { clock, limiter, consume, told };
}

describe('A line whose key has an override', () => {
  it('moves at the pace of the override, and again at that of the tier once it is removed', () => {
    const { limiter, consume, told } = lined();
    consume('zero', 10);
    const before = told('ada', 'bob');

    overridesOf(limiter).set({ ...acme, limit: 30, reason });
    const slower = told('eve', 'dan', 'ada');
    overridesOf(limiter).remove(acme);
    const after = told('fay', 'gil');

    expect([before, slower[2]]).toEqual([[1, 2], 1]);
    expect(slower[1]! - slower[0]!).toBe(2);
    expect(slower[0]).toBeGreaterThan(2);
    expect([after[0]! > slower[1]!, after[1]! - after[0]!]).toEqual([true, 1]);
  });

  it('has no moment under a limit of 0, admits everybody without a limit, and goes on behind both', () => {
    const { limiter, consume, told } = lined();
    consume('zero', 10);
    told('ada');

    overridesOf(limiter).set({ ...acme, limit: 0, reason });
    const never = consume('bob');
    overridesOf(limiter).set({ ...acme, limit: null, reason });
    const free = consume('bob');
    overridesOf(limiter).remove(acme);

    expect([never.reason, free.allowed]).toEqual(['never', true]);
    expect(told('bob', 'ada')).toEqual([2, 1]);
  });

  it('tells those behind the end of the override when the limit of the tier admits', () => {
    // A unit an hour, and ten an hour with the override.
    const { limiter, consume } = lined({ limit: 24, window: '1d' }, '2d');
    overridesOf(limiter).set({ ...acme, limit: 240, until: Date.now() + 33 * MINUTE, reason });
    consume('zero', 100);

    const told = Array.from({ length: 8 }, (_, index) => consume(`worker ${index}`).retryAfter / MINUTE);

    // Two hours, because a unit is kept for those who have a place.
    expect(told.map(Math.round)).toEqual([6, 12, 18, 24, 30, 120, 120, 120]);
  });
});

describe('A line of a tier that is enforced for some of its clients', () => {
  it('stands for those whom the tier limits, and is told to nobody else', () => {
    const { consume } = lined({ enforce: '50%' });
    const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`);
    for (const key of keys) consume('zero', 10, key);

    const waits = keys.map((key) => ['ada', 'bob', 'ada'].map((worker) => consume(worker, 1, key).retryAfter / 1e3));

    const texts = new Set(waits.map((each) => each.join(' ')));
    expect([...texts].toSorted()).toEqual(['0 0 0', '1 2 1']);
  });
});
