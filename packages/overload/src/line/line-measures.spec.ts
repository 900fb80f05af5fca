import { createLimiter, memoryStore, subscribe, type Tier } from '../../../core/src/index.js';
import { collectMetrics } from '../../../metrics/src/metrics.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { line, lineEvent, type LineEvent, type LineOptions } from './index.js';

interface Worker {
  readonly worker?: string;
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A bucket of 10 units that refills one a second, which is empty. */
function emptyBucket(lined: Partial<LineOptions<Worker>>, options: object = {}, others: readonly object[] = []) {
  const clock = fakeClock();
  const store = memoryStore({ clock });
  const metrics = collectMetrics({ stores: { main: store } });
  const bucket = { name: 'shared', key: () => 'shared', algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 };
  const tiers = [{ ...bucket, line: line<Worker>({ longest: '1h', ...lined }), ...options }, ...others];
  const limiter = createLimiter<Worker>({ store, secret: 'pepper', tiers: tiers as unknown as Tier<Worker>[] });
  const heard: LineEvent[] = [];
  ends.push(
    subscribe(lineEvent, (event) => void heard.push(event)),
    () => metrics.stop(),
  );
  const consume = async (worker = 'zero', place?: string | true) => limiter.consume({ worker }, { place });
  const numbers = async (name: `sluice.line.${string}`) =>
    (await metrics.points(name)).map(({ attributes, value }) => [...Object.values(attributes), value]);
  const empty = async () => void (await limiter.consume({ worker: 'zero' }, { cost: 10 }));
  return { clock, limiter, metrics, heard, consume, numbers, empty };
}

describe('the metrics of a line', () => {
  it('count what denied requests are told, by tier', async () => {
    const { consume, empty, metrics, heard } = emptyBucket({ by: ({ worker }) => worker });
    await empty();
    for (const worker of ['one', 'two', 'three']) await consume(worker);

    const [wait] = await metrics.points('sluice.line.wait');

    expect(wait).toMatchObject({
      attributes: { 'sluice.tier': 'shared' },
      value: { sum: 6, counts: [1, 1, 1, ...Array<number>(9).fill(0)] },
    });
    expect(heard.map(({ told }) => told)).toEqual([1_000, 2_000, 3_000]);
  });

  it('say when a request came whose caller had a place, and was told again', async () => {
    const { clock, consume, empty, numbers } = emptyBucket({ keep: '2s' });
    await empty();
    const [first, second] = [await consume('one', true), await consume('two', true)];
    await consume('one', first.place);
    clock.advance(1_000);
    // A place is no identity: who brings it twice takes the unit of the second.
    await consume('one', first.place);
    await consume('one', first.place);
    clock.advance(4_500);
    for (let count = 0; count < 4; count += 1) await consume('one', true);
    await consume('two', second.place);
    await consume('two', second.place);

    expect(await numbers('sluice.line.repeats')).toEqual([
      ['shared', 'early', 1],
      ['shared', 'in-time', 1],
      ['shared', 'late', 2],
    ]);
  });

  it('count that a line began again', async () => {
    const { consume, empty, numbers, heard } = emptyBucket({ longest: '3s', by: ({ worker }) => worker });
    await empty();
    const before = await numbers('sluice.line.restarts');
    for (const worker of ['one', 'two', 'three', 'four', 'five']) await consume(worker);

    expect(before).toEqual([['shared', 0]]);
    expect(await numbers('sluice.line.restarts')).toEqual([['shared', 1]]);
    expect(heard.map(({ told, beganAgain }) => [told, beganAgain])).toEqual([
      [1_000, false],
      [2_000, false],
      [3_000, false],
      [1_000, true],
      [2_000, false],
    ]);
  });

  it('leave out peeks, shadow tiers, and requests that another tier denies for longer', async () => {
    const month = { name: 'month', key: () => 'all', limit: 10, window: '30d' };
    const heard = [];
    for (const [options, others] of [
      [{ mode: 'shadow' }, [month]],
      [{}, [month]],
    ] as const) {
      const bucket = emptyBucket({ by: ({ worker }) => worker }, options, others);
      await bucket.empty();
      await bucket.limiter.peek({ worker: 'one' });
      await bucket.consume('one');
      heard.push(...bucket.heard);
    }
    const peeked = emptyBucket({ by: ({ worker }) => worker });
    await peeked.empty();
    await peeked.limiter.peek({ worker: 'one' });

    expect([...heard, ...peeked.heard]).toEqual([]);
  });

  it('have no series of tiers without a line', async () => {
    const { consume, empty, numbers } = emptyBucket({}, { line: undefined });
    await empty();
    await consume('one');

    expect(await numbers('sluice.line.restarts')).toEqual([]);
    expect(await numbers('sluice.line.repeats')).toEqual([]);
    expect(await numbers('sluice.line.wait')).toEqual([]);
  });
});
