import { HOUR_MS } from '../../../core/src/model/usage.js';
import { usageLedgerOf } from './usage-ledgers.js';
import { exportUsage, type UsageExport } from './export-usage.js';
import { exportScene, START } from '../../../../test/support/export-scene.js';

describe('exportUsage, while it looks for usage', () => {
  afterEach(() => jest.restoreAllMocks());

  /** An export whose search takes 40 s between two pages, and what happens meanwhile. */
  function searching(meanwhile: (scene: { running: UsageExport; tryLock: () => number }) => unknown) {
    const { store, limiter, running, advance, batches } = exportScene();
    const ledger = usageLedgerOf(store)!;
    const scan = ledger.open.bind(ledger);
    const change = { holder: 'another process', scope: 'all', milliseconds: 60_000 };
    const tryLock = () => (ledger.lock('rl', change) as { number: number }).number;
    let passed = 0;
    const begun = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => begun + passed);
    ledger.open = async function* (prefix) {
      for (let page = 0; page < 3; page += 1) {
        yield { now: 0, usage: [] };
        advance(40_000);
        passed += 40_000;
        await meanwhile({ running, tryLock });
      }
      yield* scan(prefix);
    };
    return { limiter, running, advance, batches };
  }

  it('keeps its lock, however long that takes', async () => {
    const granted: number[] = [];
    const { limiter, running, advance, batches } = searching(({ tryLock }) => granted.push(tryLock()));
    await limiter.consume('ada', { cost: 3 });
    advance(2 * HOUR_MS);

    const { problem } = await running.run();

    expect([granted, problem, batches.length]).toEqual([[0, 0, 0], undefined, 1]);
  });

  it('ends when it is closed', async () => {
    let pages = 0;
    const { running } = searching(() => {
      pages += 1;
      void running.close();
    });

    await running.run();

    expect(pages).toBe(1);
  });
});

describe('exportUsage, when it is closed', () => {
  beforeEach(() => jest.useFakeTimers({ now: START, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('waits 5 s for a sink, then aborts its signal, and leaves its rows due', async () => {
    let signal!: AbortSignal;
    const { store, limiter, running, advance, sink, table } = exportScene({
      sink: (_rows, context) => {
        ({ signal } = context);
        return new Promise(() => undefined);
      },
    });
    await limiter.consume('ada', { cost: 3 });
    advance(2 * HOUR_MS);
    const run = running.run();
    await new Promise((resolve) => setImmediate(resolve));

    let isClosed = false;
    const closing = running.close().then(() => (isClosed = true));
    await jest.advanceTimersByTimeAsync(4_999);
    const before = [isClosed, signal.aborted];
    await jest.advanceTimersByTimeAsync(1);
    await closing;

    expect([before, signal.aborted]).toEqual([[false, false], true]);
    expect((await run).problem).toBe('the sink has failed: it has not answered when the export was closed');
    const next = exportUsage(store, { sink });
    await next.run();
    await next.close();
    expect([...table.values()].map(({ units }) => units)).toEqual([3]);
  });

  it('does not abort a sink that answers in time', async () => {
    let answer!: () => void;
    let signal!: AbortSignal;
    const { limiter, running, advance } = exportScene({
      sink: (_rows, context) => {
        ({ signal } = context);
        return new Promise<void>((resolve) => (answer = resolve));
      },
    });
    await limiter.consume('ada', { cost: 3 });
    advance(2 * HOUR_MS);
    const run = running.run();
    await new Promise((resolve) => setImmediate(resolve));

    const closing = running.close();
    await jest.advanceTimersByTimeAsync(4_000);
    answer();
    await closing;
    await jest.advanceTimersByTimeAsync(4_000);

    expect([signal.aborted, (await run).problem]).toEqual([false, undefined]);
  });
});
