import { newCaller, limiterOf, onEveryStore, remainingIn, tier } from './every-store.js';

onEveryStore((newStore) => {
  const running = { name: 'running', key: tier('running', 1).key, algorithm: 'concurrency', limit: 2 } as const;

  describe('Limiter.close', () => {
    it('ends the permits of its own requests, and no others of a tier that limiters share', async () => {
      const store = newStore();
      const [one, other] = [limiterOf(store, running), limiterOf(store, running)];
      const caller = newCaller();
      const held = await one.consume(caller);
      await other.consume(caller);

      await other.close();

      expect(remainingIn(await one.peek(caller))).toEqual({ running: 1 });
      expect(await one.release(held)).toBe(1);
      expect(remainingIn(await one.peek(caller))).toEqual({ running: 2 });
    });
  });
});
