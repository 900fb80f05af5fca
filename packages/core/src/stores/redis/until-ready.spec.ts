import { StoreError } from '../../model/errors.js';
import { untilReady } from './until-ready.js';

const away = new StoreError('STORE_UNAVAILABLE', 'Redis cannot be reached: connect ECONNREFUSED');

describe('waiting until a store is ready', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('ends with the first answer', async () => {
    let asked = 0;
    const ready = untilReady(async () => {
      asked += 1;
      if (asked < 4) throw away;
    });

    await jest.advanceTimersByTimeAsync(1_000);

    await expect(ready).resolves.toBeUndefined();
    expect(asked).toBe(4);
  });

  it('rejects with what was wrong at last when ten seconds have passed', async () => {
    const ready = untilReady(() => Promise.reject(away));
    const settled = jest.fn();
    ready.catch(settled);

    await jest.advanceTimersByTimeAsync(9_900);
    const early = settled.mock.calls.length;
    await jest.advanceTimersByTimeAsync(200);

    expect(early).toBe(0);
    expect(settled).toHaveBeenCalledWith(away);
  });

  it('rejects at once for a store that was closed, which will not come back', async () => {
    const closed = new StoreError('STORE_CLOSED', 'this store has been closed');

    await expect(untilReady(() => Promise.reject(closed))).rejects.toBe(closed);
  });
});
