import { memoryStore } from '@sluice/core';
import { fakeClock } from '@sluice/testing';
import { createExports } from '../../../examples/recipes/weeks.js';

const HOUR = 3_600_000;

/** An account that has used its week at a time, with its hour free again. */
async function usedUp(at: string, weekStartsOn: 'monday' | 'sunday' = 'monday') {
  const clock = fakeClock();
  const exports = createExports(memoryStore({ clock }));
  const ada = { account: 'ada', weekStartsOn };
  clock.set(Date.parse(at));
  for (let count = 0; count < 10; count += 1) await exports.consume(ada);
  clock.advance(2 * HOUR);
  return { clock, exports, ada };
}

describe('the recipe weeks', () => {
  it.each([
    ['a week that loses an hour', '2026-03-23T00:00:00+01:00', 167],
    ['a week that gains an hour', '2026-10-19T00:00:00+02:00', 169],
    ['a usual week', '2026-06-01T00:00:00+02:00', 168],
  ])('says the exact wait in %s', async (_week, at, hours) => {
    const { clock, exports, ada } = await usedUp(at);

    const { allowed, retryAfter, deniedBy } = await exports.consume(ada);

    expect([allowed, retryAfter, deniedBy]).toEqual([false, (hours - 2) * HOUR, ['week']]);
    clock.advance(retryAfter - 1);
    expect((await exports.consume(ada)).allowed).toBe(false);
    clock.advance(1);
    expect((await exports.consume(ada)).allowed).toBe(true);
  });

  it('denies an account that moves its first day, all day long', async () => {
    const { exports } = await usedUp('2026-06-03T12:00:00+02:00');

    const tries = (['sunday', 'monday', 'sunday'] as const).map((weekStartsOn) =>
      exports.consume({ account: 'ada', weekStartsOn }),
    );

    expect((await Promise.all(tries)).map(({ allowed }) => allowed)).toEqual([false, false, false]);
  });

  it('admits ten exports and not twenty around the end of a week', async () => {
    const clock = fakeClock();
    const exports = createExports(memoryStore({ clock }));
    const ada = { account: 'ada', weekStartsOn: 'monday' } as const;
    clock.set(Date.parse('2026-06-07T23:59:59+02:00'));

    const before = await Promise.all(Array.from({ length: 12 }, () => exports.consume(ada)));
    clock.advance('2s');
    const after = await Promise.all(Array.from({ length: 12 }, () => exports.consume(ada)));

    expect([...before, ...after].filter(({ allowed }) => allowed)).toHaveLength(10);
  });
});
