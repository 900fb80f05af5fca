import { createGate } from '../../../http/src/gate/gate.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { sharedLayers } from '../stores/between-processes/shared-layers.js';
import type { AbleStore, Store } from '../stores/store.js';
import { createLimiter } from './limiter.js';

/** Like a store in another process, which an outage takes away. */
function remoteStore(): AbleStore & { fails: boolean } {
  const own = memoryStore();
  const answer = async <T>(value: () => T): Promise<T> => {
    if (store.fails) throw new Error('the server is away');
    return value();
  };
  const store = {
    layers: sharedLayers,
    fails: false,
    consume: (group: Parameters<Store['consume']>[0]) =>
      // The deny cache takes answers of which it knows when they were asked for.
      answer(() => ({ ...own.consume(group), sentAt: performance.now() })),
    peek: (group: Parameters<Store['peek']>[0]) => answer(() => own.peek(group)),
    refund: (receipts: Parameters<Store['refund']>[0]) => answer(() => own.refund(receipts)),
    reset: (keys: readonly string[]) => answer(() => own.reset(keys)),
    recorded: (key: string) => answer(() => own.recorded(key)),
    close: () => own.close(),
    outageOf: () => (store.fails ? new Error('the server is away') : undefined),
  };
  return store;
}

const options = { name: 'minute', key: (user: string) => user, limit: 1, window: '1m' } as const;

describe('a limiter whose store is in another process', () => {
  it('always answers by promise: when it asks, from its cache of denials, and in an outage', async () => {
    const store = remoteStore();
    const limiter = createLimiter<string>({ ...options, store });
    const answers = async () => [limiter.consume('ada'), limiter.peek('ada')];

    const asked = [limiter.consume('ada'), limiter.peek('ada')];
    await Promise.all(asked);
    await limiter.consume('ada');
    const denied = [limiter.consume('ada'), limiter.peek('ada')];
    const [first] = await Promise.all(denied);
    store.fails = true;
    const inOutage = [limiter.consume('bob'), limiter.peek('bob'), limiter.consume('ada')];

    expect([...asked, ...denied, ...inOutage].every((each) => each instanceof Promise)).toBe(true);
    expect(first).toMatchObject({ allowed: false, source: 'deny-cache' });
    expect((await Promise.all(inOutage)).some(({ degraded }) => degraded)).toBe(true);
    expect(await answers()).toHaveLength(2);
  });

  it('lets a gate answer a denial that it knows, and an outage, without a promise', async () => {
    const store = remoteStore();
    const gate = createGate({ ...options, store, key: ({ headers }) => String(headers?.['x-user']) });
    const visit = (user: string) =>
      gate.admit({ method: 'GET', headers: { 'x-user': user } }, {
        setHeader: () => undefined,
        headersSent: false,
      } as never);

    await visit('ada');
    await visit('ada');
    const denied = visit('ada');
    store.fails = true;
    const inOutage = visit('bob');

    expect(denied).toMatchObject({ state: 'denied', decision: { source: 'deny-cache' } });
    expect(inOutage).toMatchObject({ state: 'admitted', decision: { degraded: true } });
  });

  it('answers without a promise in memory', () => {
    const limiter = createLimiter<string>(options);

    expect([limiter.consume('ada'), limiter.peek('ada')].some((each) => each instanceof Promise)).toBe(false);
  });
});
