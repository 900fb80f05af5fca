import { createLimiter, memoryStore, type Tier } from '@sluice/core';
import { fakeClock } from '@sluice/testing';

import { steppingClock } from '../../packages/core/src/stores/memory/process-clock.js';
import { newUser } from './law.js';
import { onEveryPlace, type Place } from './places.js';

const HOUR = 3.6e6;
const DAY = 24 * HOUR;
const STEPS = [HOUR, -HOUR, DAY, -DAY, 8 * HOUR];
const LIMIT = 5;
const WINDOW = 10_000;

type Subject = string;
const key = (user: Subject) => user;

/** What ends when a clock shows a time. @returns the next end */
const ends: readonly (readonly [Partial<Tier<Subject>>, (now: number) => number])[] = [
  [{ algorithm: 'fixed-window', period: 'day' }, (now) => (Math.floor(now / DAY) + 1) * DAY],
  [{ algorithm: 'fixed-window', window: '1h', anchor: 'clock' }, (now) => (Math.floor(now / HOUR) + 1) * HOUR],
];

const windows: readonly Partial<Tier<Subject>>[] = [
  { algorithm: 'fixed-window' },
  { algorithm: 'sliding-window' },
  { algorithm: 'sliding-window', limit: 100 },
  { algorithm: 'sliding-window-log' },
  { algorithm: 'token-bucket' },
];

/** A place whose wall clock steps. Time that passes is no step. */
interface SteppedPlace extends Place {
  readonly now: () => number;
  readonly monotonic: () => number;
  step(milliseconds: number): void;
  pass(milliseconds: number): void;
}

/** The store of a process: it reads the wall clock itself. */
function processPlace(): SteppedPlace {
  const [clock, monotonic] = [fakeClock(Date.UTC(2035, 0, 1)), fakeClock(7_000)];
  const store = memoryStore({ clock: steppingClock(clock, monotonic) });
  return {
    clock,
    now: clock,
    monotonic,
    newStore: () => store,
    close: async () => store.close(),
    step: (milliseconds) => clock.step(milliseconds),
    pass(milliseconds) {
      clock.advance(milliseconds);
      monotonic.advance(milliseconds);
    },
  };
}

function withSteps(place: Place): SteppedPlace {
  const { clock } = place;
  const monotonic = fakeClock(7_000);
  return {
    ...place,
    now: clock,
    monotonic,
    step: (milliseconds) => clock.step(milliseconds),
    pass(milliseconds) {
      clock.advance(milliseconds);
      monotonic.advance(milliseconds);
    },
  };
}

function laws(newPlace: () => SteppedPlace): void {
  let place: SteppedPlace;

  beforeEach(() => {
    place = newPlace();
    jest.spyOn(performance, 'now').mockImplementation(place.monotonic);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await place.close();
  });

  const limiterOf = (options: Partial<Tier<Subject>>) => {
    const own = 'period' in options ? {} : { window: WINDOW };
    return createLimiter<Subject>({
      store: place.newStore(),
      tiers: [{ name: 'tested', key, limit: LIMIT, ...own, ...options } as Tier<Subject>],
    });
  };

  describe.each(STEPS)('a step by %i ms', (step) => {
    it.each(ends)('moves the ends that a clock decides, within a second: %j', async (options, endAfter) => {
      const [old, young] = [newUser(), newUser()];
      const limiter = limiterOf(options);
      place.pass(2 * HOUR + 1_000);
      await limiter.consume(old, { cost: LIMIT });
      const before = endAfter(place.now());

      place.step(step);
      place.pass(1_000);
      const fresh = await limiter.consume(young, { cost: LIMIT });
      const denied = await limiter.consume(young);
      const again = await limiter.consume(old);

      expect([fresh.allowed, denied.retryAfter]).toEqual([true, endAfter(place.now()) - place.now()]);
      // A count goes on until the end that it has. After a step back that end is the next but one of the clock at most.
      expect(again.allowed).toBe(before <= place.now());
      expect(place.now() + again.retryAfter).toBeLessThanOrEqual(endAfter(endAfter(place.now())));
    });

    it.each(windows)('costs a window at most the limit once more, or one window to wait: %j', async (options) => {
      const user = newUser();
      const limiter = limiterOf(options);
      const { limit = LIMIT } = options as { limit?: number };
      place.pass(1_000);
      await limiter.consume(user, { cost: limit });

      place.step(step);
      place.pass(1_000);
      let more = 0;
      while ((await limiter.consume(user)).allowed) more += 1;
      const { retryAfter } = await limiter.consume(user, { cost: limit });
      place.pass(retryAfter);
      const later = await limiter.consume(user, { cost: limit });

      expect(more).toBeLessThanOrEqual(limit);
      // Counts in slots can last for two windows.
      expect(retryAfter).toBeLessThanOrEqual(limit === LIMIT ? WINDOW + 1 : 2 * WINDOW);
      expect(later.allowed).toBe(true);
    });
  });
}

describe('in a process', () => {
  laws(processPlace);
});

onEveryPlace((newPlace, name) => {
  // The memory of a process is above, with its own clock.
  if (name !== 'memory') laws(() => withSteps(newPlace()));
});
