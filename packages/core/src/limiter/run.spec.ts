import * as fc from 'fast-check';
import { warningCatcher } from '../../../../test/support/warnings.js';
import { createLimiter, type Limiter } from './limiter.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { CoolDown } from './cool-down.js';
import type { RunOptions } from './run.js';
import type { Tier } from './tiers/tier.js';
import { run } from './run.js';

type Subject = { readonly user: string };

const ada: Subject = { user: 'ada' };
const key = ({ user }: Subject) => user;

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function scene(...tiers: readonly Tier<Subject>[]) {
  const clock = fakeClock();
  const store = memoryStore({ clock });
  const limiter = createLimiter<Subject>({ store, tiers });
  const pass = async (milliseconds: number, step = 10) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      clock.advance(step);
      await jest.advanceTimersByTimeAsync(step);
    }
  };
  const remaining = async (tier: string) => (await limiter.inspect(ada, { tiers: [tier] }))[0]!.outcome.remaining;
  return { limiter, pass, remaining, store, clock };
}

const minute: Tier<Subject> = { name: 'minute', key, limit: 2, window: '1m', algorithm: 'fixed-window' };
const running: Tier<Subject> = { name: 'running', key, limit: 1, algorithm: 'concurrency' };
const pause: Tier<Subject> = { name: 'pause', key, algorithm: 'pause' };

describe('run', () => {
  const warnings = warningCatcher();

  it('runs the work, and resolves with its value and its decision', async () => {
    const { limiter } = scene(minute);

    await expect(run(limiter, ada, async () => 'done')).resolves.toEqual({
      admitted: true,
      value: 'done',
      decision: expect.objectContaining({ allowed: true }),
    });
  });

  it('resolves with admitted: false when it is denied, and does not run', async () => {
    const { limiter } = scene(minute);
    const work = jest.fn();
    await limiter.consume(ada, { cost: 2 });

    const ran = await run(limiter, ada, work);

    expect(ran).toEqual({ admitted: false, decision: expect.objectContaining({ allowed: false, reason: 'denied' }) });
    expect(work).not.toHaveBeenCalled();
  });

  it('waits until it fits, and begins in the order of arrival', async () => {
    const { limiter, pass } = scene(minute);
    const begun: number[] = [];
    const runs = [1, 2, 3, 4, 5].map((number) => run(limiter, ada, () => begun.push(number), { wait: '5m' }));

    await pass(1_000);
    const first = [...begun];
    await pass(150_000, 500);
    await Promise.all(runs);

    expect([first, begun]).toEqual([
      [1, 2],
      [1, 2, 3, 4, 5],
    ]);
  });

  it('begins after work that is first in line, although that sleeps a little longer than it must', async () => {
    const { limiter, clock, pass } = scene(minute);
    const began: string[] = [];
    await limiter.consume(ada, { cost: 2 });
    const first = run(limiter, ada, () => began.push('first'), { wait: '3m' });
    await pass(10);
    clock.advance('1m');

    const later = run(limiter, ada, () => began.push('later'), { wait: '3m' });
    await pass(70_000);
    await Promise.all([first, later]);

    expect(began).toEqual(['first', 'later']);
  });

  it('is denied at once when the wait cannot be long enough', async () => {
    const { limiter } = scene(minute);
    await limiter.consume(ada, { cost: 2 });

    await expect(run(limiter, ada, () => 1, { wait: '30s' })).resolves.toMatchObject({ admitted: false });
  });

  it('is denied when its signal fires', async () => {
    const { limiter, pass } = scene(minute);
    await limiter.consume(ada, { cost: 2 });
    const controller = new AbortController();
    const ran = run(limiter, ada, () => 1, { wait: '2m', signal: controller.signal });
    await pass(100);

    controller.abort();

    await expect(ran).resolves.toMatchObject({ admitted: false });
  });

  it('does not run work whose signal fires while it stands in line', async () => {
    const { limiter, pass, remaining } = scene(minute);
    await limiter.consume(ada, { cost: 2 });
    const controller = new AbortController();
    const work = jest.fn();
    const first = run(limiter, ada, () => 1, { wait: '2m' });
    const second = run(limiter, ada, work, { wait: '2m', signal: controller.signal });
    await pass(100);

    controller.abort();
    await pass(70_000, 500);

    await expect(first).resolves.toMatchObject({ admitted: true });
    await expect(second).resolves.toMatchObject({ admitted: false });
    expect(work).not.toHaveBeenCalled();
    expect(await remaining('minute')).toBe(1);
  });

  it.each<[what: string, options: (signal: AbortSignal) => RunOptions<unknown>]>([
    ['its wait is over', () => ({ wait: '200ms' })],
    ['its signal fires', (signal) => ({ wait: '5m', signal })],
  ])('is denied in line as soon as %s, however long the first in line waits', async (_what, options) => {
    const { limiter, pass } = scene(minute);
    await limiter.consume(ada, { cost: 2 });
    const controller = new AbortController();
    const first = run(limiter, ada, () => 'first', { wait: '5m' });
    const settled = jest.fn();
    await pass(10);
    void run(limiter, ada, () => 'late', options(controller.signal)).then(settled);
    const behind = run(limiter, ada, () => 'behind', { wait: '5m' });

    await pass(200);
    controller.abort();
    await pass(20);
    const early = settled.mock.calls.map(([ran]: [unknown]) => ran);
    await pass(70_000, 500);

    expect(early).toEqual([expect.objectContaining({ admitted: false })]);
    await expect(Promise.all([first, behind])).resolves.toMatchObject([{ value: 'first' }, { value: 'behind' }]);
  });

  it('is charged nothing when it leaves its line, so that small work does not starve large work', async () => {
    const { limiter, pass, remaining } = scene({
      name: 'bucket',
      key,
      limit: 10,
      window: '2s',
      algorithm: 'token-bucket',
    });
    await limiter.consume(ada, { cost: 10 });
    const large = run(limiter, ada, () => 'large', { cost: 10, wait: '6s' });
    const small: Promise<{ admitted: boolean }>[] = [];
    for (let index = 0; index < 40; index += 1) {
      await pass(50);
      small.push(run(limiter, ada, () => 'small', { wait: '100ms' }));
    }
    await pass(1_000);

    const ran = await Promise.all(small);
    expect(await large).toMatchObject({ admitted: true, value: 'large' });
    expect(ran.filter(({ admitted }) => admitted)).toEqual([]);
    expect(ran.every((each) => 'decision' in each && (each.decision as { retryAfter: number }).retryAfter > 0)).toBe(
      true,
    );
    expect(await remaining('bucket')).toBeLessThanOrEqual(10);
  });

  it('adds one listener to a signal, however much work it ends', async () => {
    const { limiter, pass } = scene(minute);
    await limiter.consume(ada, { cost: 2 });
    const { signal } = new AbortController();
    const listens = jest.spyOn(signal, 'addEventListener');

    const runs = Array.from({ length: 15 }, () => run(limiter, ada, () => 1, { wait: '2m', signal }));
    await pass(50);
    expect(listens).toHaveBeenCalledTimes(1);
    await pass(600_000, 500);
    await Promise.all(runs);
  });

  it('forgives no strike when it gives a place in a queue back', async () => {
    const queue = { name: 'queue', key, limit: 1, window: '1s', algorithm: 'leaky-bucket', queue: 5 } as const;
    const strikes = { algorithm: 'backoff', limit: 5, window: '1h', delays: ['1m'], forgive: 'all' } as const;
    const { limiter, remaining } = scene(queue, { name: 'strikes', key, ...strikes });
    for (let request = 0; request < 2; request += 1) await limiter.consume(ada);

    const { admitted } = await run(limiter, ada, () => undefined);

    expect([admitted, await remaining('strikes'), await remaining('queue')]).toEqual([false, 3, 4]);
  });

  it('waits for its turn in a queue, and gives its place back when it cannot', async () => {
    const queue = { name: 'queue', key, limit: 1, window: '1s', algorithm: 'leaky-bucket', queue: 5 } as const;
    const { limiter, pass, remaining } = scene(queue);
    const begun: number[] = [];
    const runs = [1, 2].map((number) => run(limiter, ada, () => begun.push(number), { wait: '10s' }));
    const late = run(limiter, ada, () => begun.push(3), { wait: '500ms' });
    await pass(500);

    expect([begun, await remaining('queue')]).toEqual([[1], 4]);
    expect(await late).toMatchObject({ admitted: false, decision: { allowed: false, deniedBy: ['queue'], delay: 0 } });
    await pass(1_000);
    await Promise.all(runs);
    expect(begun).toEqual([1, 2]);
  });

  it('begins as soon as a permit of this process is released, also without a wait of the tier', async () => {
    const { limiter, pass } = scene(running);
    const begun: number[] = [];
    const work = (number: number) => async () => {
      begun.push(number);
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const runs = [1, 2, 3, 4].map((number) => run(limiter, ada, work(number), { wait: '10s' }));

    await pass(150);

    expect(begun).toEqual([1, 2, 3, 4]);
    await expect(Promise.all(runs)).resolves.toHaveLength(4);
  });

  it('begins soon after a permit is released, although its queue was full', async () => {
    const { limiter, pass } = scene({ ...running, wait: '1m', queue: 1 });
    const held = await limiter.consume(ada);
    const queued = Promise.resolve(limiter.consume(ada));
    const settled = jest.fn();
    const ran = run(limiter, ada, () => 'begun', { wait: '30s' }).then(settled);
    await pass(20);

    await limiter.release(held);
    await limiter.release(await queued);
    await pass(100);

    expect(settled).toHaveBeenCalledWith(expect.objectContaining({ admitted: true, value: 'begun' }));
    await pass(2_000);
    await ran;
  });

  it('waits for a permit no longer than its own wait', async () => {
    const { limiter, pass } = scene({ ...running, wait: '1m' });
    await limiter.consume(ada);
    const work = jest.fn();
    const ran = run(limiter, ada, work, { wait: '1s' });

    await pass(1_100);

    await expect(ran).resolves.toMatchObject({ admitted: false, decision: { deniedBy: ['running'] } });
    expect(work).not.toHaveBeenCalled();
  });

  it('waits as long as a tier says when it has no wait of its own', async () => {
    const { limiter, pass } = scene({ ...running, wait: '1s' });
    const first = await limiter.consume(ada);
    const ran = run(limiter, ada, () => 'done');
    await pass(500);

    await limiter.release(first);

    await expect(ran).resolves.toMatchObject({ admitted: true, value: 'done' });
  });

  it('settles the real cost by the result', async () => {
    const { limiter, remaining } = scene({ ...minute, limit: 100 });

    await run(limiter, ada, () => ({ tokens: 3 }), { cost: 10, settle: ({ tokens }) => tokens });

    expect(await remaining('minute')).toBe(97);
  });

  it.each<[string, (value: string) => number]>([
    ['the function throws', () => JSON.parse('{') as number],
    ['its cost is negative', () => -1],
  ])('resolves with the value when settle fails because %s, and warns', async (_why, settle) => {
    const { limiter, remaining } = scene({ ...minute, limit: 100 }, { ...running, limit: 10 });

    const ran = await run(limiter, ada, () => 'paid', { cost: 10, settle });

    expect(ran).toMatchObject({ admitted: true, value: 'paid' });
    expect([await remaining('minute'), await remaining('running')]).toEqual([90, 10]);
    expect(warnings()).toEqual([
      ['SLUICE_RUN_UNSETTLED', expect.stringMatching(/^run: settle failed after the work, so the reserved cost stays/)],
    ]);
  });

  it('rejects with the CoolDown of the work, although the store was closed meanwhile', async () => {
    const { limiter, store } = scene(pause, running);

    const ran = run(
      limiter,
      ada,
      async () => {
        await store.close();
        throw new CoolDown('1s');
      },
      { wait: '1m' },
    );

    await expect(ran).rejects.toThrow(CoolDown);
  });

  it('releases its permit when the work fails, and rejects with the error', async () => {
    const { limiter, remaining } = scene(running);

    await expect(
      run(limiter, ada, async () => {
        throw new Error('mine');
      }),
    ).rejects.toThrow('mine');
    expect(await remaining('running')).toBe(1);
  });

  it('pauses the tiers that can be paused when the work throws a CoolDown, and tries again', async () => {
    const { limiter, pass } = scene(pause, running);
    let attempts = 0;
    const ran = run(
      limiter,
      ada,
      () => {
        attempts += 1;
        if (attempts === 1) throw new CoolDown('10s');
        return attempts;
      },
      { wait: '1m' },
    );
    await pass(100);

    const denied = await limiter.consume(ada);
    await pass(12_000);

    expect([denied.allowed, denied.deniedBy]).toEqual([false, ['pause']]);
    await expect(ran).resolves.toMatchObject({ admitted: true, value: 2 });
  });

  it('resolves with the result, or rejects with the CoolDown, when there is no time to try again', async () => {
    const { limiter } = scene(pause);

    const value = await run(limiter, ada, () => 429, { coolDown: (status) => (status === 429 ? '10s' : undefined) });
    await limiter.reset(ada);
    const failed = run(limiter, ada, () => {
      throw new CoolDown(5_000);
    });

    expect(value).toMatchObject({ admitted: true, value: 429 });
    await expect(failed).rejects.toThrow(CoolDown);
    expect((await limiter.peek(ada)).retryAfter).toBeGreaterThan(4_000);
  });

  it.each<[string, (status: number) => string | undefined]>([
    ['the function throws', () => (JSON.parse('{') as { pause: string }).pause],
    ['its duration is not one', () => 'soon'],
  ])('resolves with the value when coolDown fails because %s, and warns', async (_why, coolDown) => {
    const { limiter, remaining } = scene({ ...minute, limit: 100 }, { ...running, limit: 10 }, pause);

    const ran = await run(limiter, ada, () => 200, { cost: 10, settle: () => 3, coolDown });

    expect(ran).toMatchObject({ admitted: true, value: 200 });
    expect([await remaining('minute'), await remaining('running')]).toEqual([97, 10]);
    expect(warnings()).toEqual([
      ['SLUICE_RUN_UNSETTLED', expect.stringMatching(/^run: coolDown failed after the work, so no process waits: /)],
    ]);
  });

  it('pauses for the CoolDown that coolDown throws', async () => {
    const { limiter } = scene(pause);

    const ran = await run(limiter, ada, () => 429, {
      coolDown: () => {
        throw new CoolDown('10s');
      },
    });

    expect(ran).toMatchObject({ admitted: true, value: 429 });
    expect(await limiter.peek(ada)).toMatchObject({ allowed: false, deniedBy: ['pause'] });
  });

  it('never lets more run than the limit, and holds nothing in the end, whatever the work does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ takes: fc.integer({ min: 0, max: 50 }), end: fc.constantFrom('value', 'error', 'cool-down') }),
          { minLength: 1, maxLength: 12 },
        ),
        fc.integer({ min: 1, max: 3 }),
        async (works, limit) => {
          const { limiter, pass, remaining } = scene({ ...running, limit, wait: '10s' });
          let [now, most] = [0, 0];
          const runs = works.map(({ takes, end }) =>
            run(
              limiter,
              ada,
              async () => {
                now += 1;
                most = Math.max(most, now);
                await new Promise((resolve) => setTimeout(resolve, takes));
                now -= 1;
                if (end === 'error') throw new Error('mine');
                if (end === 'cool-down') throw new CoolDown(1);
              },
              { wait: 0 },
            ),
          );
          const settled = Promise.allSettled(runs);
          await pass(1_000);
          await settled;

          expect(most).toBeLessThanOrEqual(limit);
          expect(await remaining('running')).toBe(limit);
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each<[string, unknown, unknown, string]>([
    ['no work', 5, {}, 'run: work must be a function'],
    ['a wait', () => 1, { wait: 'soon' }, 'run: wait must be a duration from 0 to a day'],
    ['a cost', () => 1, { cost: 1.5 }, 'run: cost must be an integer of at least 0, got 1.5'],
    ['a signal', () => 1, { signal: 5 }, 'signal must be an AbortSignal, got 5'],
    ['settle', () => 1, { settle: 3 }, 'run: settle must be a function of the result, got 3'],
    ['coolDown', () => 1, { coolDown: '1s' }, 'run: coolDown must be a function of the result, got "1s"'],
    [
      'the name of an option',
      () => 1,
      { waits: '1s' },
      'run: options must be { cost, settle, wait, signal, coolDown }, got the option "waits"',
    ],
    ['a text of options', () => 1, '30s', 'run: options must be { cost, settle, wait, signal, coolDown }, got "30s"'],
  ])('rejects %s that is wrong', async (_what, work, options, message) => {
    const { limiter } = scene(minute);

    await expect(run(limiter, ada, work as never, options as never)).rejects.toThrow(message);
  });
});

describe('pause', () => {
  it('denies a subject until the pause is over, and no other', async () => {
    const { limiter, clock } = scene(pause, minute);

    await limiter.pause(ada, '10m');
    await limiter.pause(ada, '1m');
    const denied = await limiter.consume(ada);
    const other = await limiter.consume({ user: 'grace' });
    clock.advance('10m');

    expect(denied).toMatchObject({ allowed: false, deniedBy: ['pause'], retryAfter: 600_000 });
    expect([other.allowed, (await limiter.consume(ada)).allowed]).toEqual([true, true]);
  });

  it('ends with a reset', async () => {
    const { limiter } = scene(pause);
    await limiter.pause(ada, '10m');

    await limiter.reset(ada);

    expect((await limiter.consume(ada)).allowed).toBe(true);
  });

  it.each<[string, (limiter: Limiter<Subject>) => Promise<unknown>, string]>([
    [
      'a duration that is not one',
      (limiter) => limiter.pause(ada, 'soon'),
      'pause: the duration must be a duration from 1 ms',
    ],
    [
      'a tier that cannot be paused',
      (limiter) => limiter.pause(ada, '1m', { tiers: ['minute'] }),
      "algorithm: 'pause'",
    ],
  ])('rejects %s', async (_what, call, message) => {
    await expect(call(scene(pause, minute).limiter)).rejects.toThrow(message);
  });
});
