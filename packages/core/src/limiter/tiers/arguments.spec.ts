import { memoryStore } from '../../stores/memory/memory-store.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { createLimiter, type Limiter } from '../limiter.js';

type Subject = { readonly user: string };

const ada: Subject = { user: 'ada' };

async function scene() {
  const limiter = createLimiter<Subject>({
    store: memoryStore({ clock: fakeClock() }),
    tiers: [
      { name: 'tokens', key: ({ user }) => user, limit: 100, window: '1h' },
      { name: 'login', key: ({ user }) => user, limit: 5, window: '1m' },
      { name: 'pause', key: ({ user }) => user, algorithm: 'pause' },
    ],
  });
  const decision = await limiter.consume(ada);
  const left = async () =>
    (await limiter.inspect(ada)).map(({ outcome }) => [outcome.tier, outcome.remaining] as const);
  return { limiter, decision, left };
}

const units = async () => 5;

describe('A limiter', () => {
  it.each<[call: string, run: (limiter: Limiter<Subject>, options: never) => Promise<unknown>, options: unknown]>([
    ['reset', (limiter, options) => limiter.reset(ada, options), ['login']],
    ['reset', (limiter, options) => limiter.reset(ada, options), []],
    ['reset', (limiter, options) => limiter.reset(ada, options), { tier: 'login' }],
    ['reset', (limiter, options) => limiter.of('ada').reset(options), ['login']],
    ['reset', (limiter, options) => limiter.of('ada').reset(options), { limit: 5 }],
    ['pause', (limiter, options) => limiter.pause(ada, '1m', options), 'pause'],
    ['inspect', (limiter, options) => limiter.inspect(ada, options), null],
    ['inspect', (limiter, options) => limiter.of('ada').inspect(options), { costs: 5 }],
  ])('rejects %s with other options than its own, and changes nothing', async (call, run, options) => {
    const { limiter, left } = await scene();
    const before = await left();

    await expect(run(limiter, options as never)).rejects.toMatchObject({
      code: 'USAGE_INVALID',
      message: expect.stringMatching(`^${call}: options must be \\{ tiers`),
    });
    expect(await left()).toEqual(before);
  });

  it.each<[what: string, cost: unknown, message: string]>([
    ['a promise', units(), 'must be units, got a promise: await it'],
    ['a map', new Map([['tokens', 5]]), 'must be an integer or { tier: units }, got an object'],
    ['an array', [], 'must be an integer or { tier: units }, got an array of 0'],
  ])('rejects %s of units, and does not spend the decision', async (_what, cost, message) => {
    const { limiter, decision, left } = await scene();
    const meter = limiter.meter(decision, { tier: 'tokens', lot: 10 });
    const before = await left();

    await expect(limiter.settle(decision, cost as number)).rejects.toThrow(`settle: cost ${message}`);
    await expect(limiter.refund(decision, cost as number)).rejects.toThrow(`refund: units ${message}`);
    await expect(limiter.extend(decision, cost as never)).rejects.toThrow(`extend: units ${message}`);
    await expect(meter.end(cost as number)).rejects.toThrow(`meter: cost ${message}`);
    expect(await left()).toEqual(before);
    expect(await limiter.settle(decision, { tokens: 41 })).toBe(40);
  });

  it.each([[{ lot: 1 }], [{ tier: [], lot: 1 }], [undefined]])('rejects a meter of no tier: %j', async (options) => {
    const { limiter, decision } = await scene();

    expect(() => limiter.meter(decision, options as never)).toThrow('meter: tier must name one tier or several');
  });
});
