import { sharesOf } from './tenants.js';

describe('four processes with one shared limit in flight on one Redis', () => {
  it('give greedy tenants equal parts, and a quiet tenant its turn', async () => {
    const { index, quietWait } = await sharesOf({ isFair: true, floods: { a: 40, b: 8, c: 8, d: 8 }, lasts: 5_000 });

    expect(index).toBeGreaterThan(0.95);
    // One hold, the pause until the process asks again, and a busy machine.
    expect(quietWait).toBeLessThan(50 + 400 + 250);
  }, 60_000);
});
