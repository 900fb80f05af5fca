import { createLimiter, memoryStore } from '../index.js';
import { PIPED, type Piped } from '../limiter/piped.js';
import { overridesOf } from './overrides-of.js';

describe('OverrideTable', () => {
  it('takes the mark off a key at the first check after the end of its override', async () => {
    let now = Date.now();
    const tier = { name: 'hour', key: () => 'ada', limit: 5, window: '1h' } as const;
    const limiter = createLimiter({ store: memoryStore({ clock: () => now }), tiers: [tier] });
    const { book, direct } = (limiter as unknown as { [PIPED]: Piped<object> })[PIPED];
    overridesOf(limiter).set({ tier: 'hour', identity: 'ada', limit: 9, until: now + 1_000, reason: 'a spec' });
    const isMarked = () => book.fixed!.keys[0] !== direct.compile(book.fixed!.tiers).keys[0];

    const before = [(await limiter.consume({})).outcomes[0]!.limit, isMarked()];
    now += 1_000;
    const after = [(await limiter.consume({})).outcomes[0]!.limit, isMarked()];

    expect([before, after]).toEqual([
      [9, true],
      [5, false],
    ]);
    expect((await limiter.consume({})).outcomes[0]).toMatchObject({ limit: 5, remaining: 2 });
  });
});
