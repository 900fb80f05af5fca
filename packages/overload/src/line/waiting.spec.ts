import { createLimiter, memoryStore, type Tier } from '../../../core/src/index.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { line } from './index.js';

const TIERS = [
  { algorithm: 'token-bucket', limit: 60, window: '1m', burst: 10 },
  { algorithm: 'token-bucket', limit: 7, window: '1m' },
  { limit: 7, window: '1m' },
  { algorithm: 'sliding-window-log', limit: 7, window: '1m' },
  { algorithm: 'fixed-window', limit: 7, window: '1m' },
  { algorithm: 'fixed-window', limit: 7, period: 'day' },
] as const;

describe('inspect of a tier with a line', () => {
  it.each(TIERS.map((tier) => [JSON.stringify(tier), tier] as const))(
    'says how many units wait, and until when: %s',
    async (_text, tier) => {
      const clock = fakeClock();
      const lined = { name: 'shared', key: () => 'shared', ...tier, line: line({ longest: '49d' }) };
      const tiers = [lined] as unknown as Tier<object>[];
      const limiter = createLimiter<object>({ store: memoryStore({ clock }), tiers });
      const inspected = async () => (await limiter.inspect({}))[0]!;
      let denied = 0;
      let told = 0;
      expect(await inspected()).not.toHaveProperty('waiting');

      while (denied < 20) {
        const decision = await limiter.consume({});
        if (decision.allowed) continue;
        denied += 1;
        told = Math.max(told, decision.retryAfter);
        const { waiting, readAt, outcome } = await inspected();
        expect({ denied, units: waiting!.units }).toEqual({ denied, units: denied });
        expect(waiting!.endsAt - readAt).toBeGreaterThanOrEqual(told);
        expect(outcome.retryAfter).toBeGreaterThan(told);
      }
      clock.set((await inspected()).waiting!.endsAt);

      expect(await inspected()).not.toHaveProperty('waiting');
    },
  );
});
