import { createLimiter, type Decision, type Limiter, memoryStore, type Tier } from '../../../core/src/index.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { line } from './index.js';

interface Worker {
  readonly key?: string;
}

/** A limiter on a clock that a test sets. */
function lineOf(options: object, others: readonly object[] = []) {
  const clock = fakeClock();
  const key = ({ key: of = 'shared' }: Worker) => of;
  const tiers = [{ name: 'minute', key, line: line({ longest: '1h' }), ...options }, ...others] as Tier<Worker>[];
  const limiter: Limiter<Worker> = createLimiter<Worker>({ store: memoryStore({ clock }), tiers });
  const decide = (cost = 1, worker: Worker = {}) => limiter.consume(worker, { cost }) as Decision;
  const told = (cost = 1, worker: Worker = {}) => decide(cost, worker).retryAfter / 1e3;
  return { clock, limiter, decide, told };
}

const bucket = { algorithm: 'token-bucket', limit: 60, window: '1m' } as const;

describe('line', () => {
  it('tells each denied request of a bucket a moment of its own, at the pace of its limit', () => {
    const { decide, told } = lineOf({ ...bucket, burst: 2 });
    decide(2);

    expect([told(), told(), told(2), told()]).toEqual([1, 2, 4, 5]);
  });

  it('says when a request would fit alone as fitsAfter, and tells nothing of a request that fits', () => {
    const { decide } = lineOf({ ...bucket, burst: 2 });
    const admitted = decide(2);
    decide();

    const denied = decide();

    expect(denied).toMatchObject({
      allowed: false,
      retryAfter: 2_000,
      outcomes: [{ fitsAfter: 1_000, allowed: false }],
    });
    expect(admitted.outcomes[0]).not.toHaveProperty('fitsAfter');
  });

  it('admits what the same tier admits without a line', () => {
    const { decide, clock } = lineOf({ ...bucket, burst: 2 });
    decide(2);
    for (let denied = 0; denied < 10; denied += 1) decide();

    clock.advance(1_000);

    expect([decide().allowed, decide().allowed]).toEqual([true, false]);
  });

  it('begins again from the front where the wait would be longer than its bound', () => {
    const { decide, told } = lineOf({ ...bucket, line: line({ longest: '3s' }) });
    decide(60);

    expect(Array.from({ length: 7 }, () => told())).toEqual([1, 2, 3, 1, 2, 3, 1]);
  });

  it('tells the exact wait where that alone is longer than the bound', () => {
    const { decide, told } = lineOf({ ...bucket, limit: 1, line: line({ longest: '3s' }) });
    decide();

    expect([told(), told()]).toEqual([60, 60]);
  });

  it('tells the moments at which a log has room for all that were told', () => {
    const { decide, clock, told } = lineOf({ limit: 10, window: '1m' });
    decide(1);
    clock.advance(10_000);
    decide(9);

    expect(Array.from({ length: 11 }, () => told())).toEqual([50, 60, 66, 72, 78, 84, 90, 96, 102, 108, 114]);
  });

  it('tells the units of the next fixed window over its first tenth, and then those of the window after it', () => {
    const { decide, told } = lineOf({ algorithm: 'fixed-window', limit: 3, window: '1m' });
    decide(3);

    expect(Array.from({ length: 4 }, () => told())).toEqual([60, 62, 64, 120]);
  });

  it('has a line for each key', () => {
    const { decide, told } = lineOf({ ...bucket, limit: 1 });
    for (const key of ['ada', 'bob']) decide(1, { key });

    expect(['ada', 'ada', 'bob'].map((key) => told(1, { key }))).toEqual([60, 120, 60]);
  });

  it('is not moved by a peek, which says what would be told', async () => {
    const { decide, limiter, told } = lineOf({ ...bucket, limit: 1 });
    decide();
    told();

    const peeked = [await limiter.peek({}), await limiter.peek({})].map(({ retryAfter }) => retryAfter);

    expect([peeked, told()]).toEqual([[120_000, 120_000], 120]);
  });

  it('is not moved by a tier in shadow', () => {
    const { decide } = lineOf({ ...bucket, limit: 1, mode: 'shadow' });
    decide();

    expect([decide(), decide()].map(({ outcomes }) => outcomes[0]!.retryAfter)).toEqual([60_000, 60_000]);
  });

  it('is not moved by a request that another tier denies for longer', () => {
    const hour = { name: 'hour', key: ({ key = 'shared' }: Worker) => key, limit: 2, window: '1h' };
    const { decide } = lineOf({ ...bucket, limit: 2 }, [hour]);
    decide(2);

    const denied = [decide(), decide()];

    expect(denied.map(({ retryAfter }) => retryAfter)).toEqual([3_600_000, 3_600_000]);
    expect(denied.map(({ outcomes }) => outcomes[1]!.retryAfter)).toEqual([30_000, 30_000]);
  });

  it('is moved by a request that another tier denies for less long', () => {
    const second = { name: 'second', key: ({ key = 'shared' }: Worker) => key, limit: 1, window: '1s' };
    const { decide } = lineOf({ ...bucket, limit: 1 }, [second]);
    decide();

    expect([decide(), decide()].map(({ retryAfter }) => retryAfter)).toEqual([60_000, 120_000]);
  });

  it('ends with its key when that is reset', async () => {
    const { decide, limiter, told } = lineOf({ ...bucket, limit: 1 });
    decide();
    for (let denied = 0; denied < 5; denied += 1) told();

    await limiter.reset({});
    decide();

    expect(told()).toBe(60);
  });

  it('is forgotten when its end has passed', () => {
    const { decide, clock, told } = lineOf({ ...bucket, limit: 1 });
    decide();
    told();
    told();
    clock.advance(600_000);
    decide();

    expect(told()).toBe(60);
  });

  it('goes on at the pace of another limit', () => {
    let limit = 1;
    const { decide, told } = lineOf({ ...bucket, limit: () => limit });
    decide();
    const before = [told(), told()];
    limit = 60;

    expect([before, told(), told()]).toEqual([[60, 120], 121, 122]);
  });
});
