import { sharesOf, unitsByProcess } from './tenants.js';

describe('four processes with one shared limit in flight on one Redis', () => {
  it('give greedy tenants equal parts, and a quiet tenant its turn', async () => {
    const { index, quietWait, late } = await sharesOf({
      isFair: true,
      floods: { a: 40, b: 8, c: 8, d: 8 },
      lasts: 5_000,
    });

    expect(index).toBeGreaterThan(0.95);
    // One hold, the pause until the process asks again, and what the machine adds to each of them and to each answer.
    expect(quietWait).toBeLessThan(50 + 400 + 4 * late);
  }, 60_000);
});

describe.each([
  ['by arrival', false],
  ['with fair', true],
])('processes that always have requests in line %s', (_order, isFair) => {
  it.each([
    [2, 2, 300],
    [4, 3, 50],
    [2, 50, 100],
  ])(
    'get half of an even share each: %i of them, %i units, work of %i ms',
    async (processes, limit, hold) => {
      const { together, least } = await unitsByProcess({ processes, limit, hold, isFair, lasts: 5_000 });

      expect(least).toBeGreaterThan(together / processes / 2);
    },
    60_000,
  );
});
