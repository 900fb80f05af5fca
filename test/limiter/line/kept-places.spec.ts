import * as fc from 'fast-check';
import { served, TIERS, type Served } from './fleet.js';

const KEEP = 1_000;

/** A client that asks for a place, brings it back so long after its moment, and then comes again after a pause; or a stranger. */
interface Habit {
  readonly late: number;
  readonly pause: number;
  readonly isStranger: boolean;
}

interface Caller extends Habit {
  at: number;
  place: string | true;
  /** Of the request that waits. */
  denials: number;
}

const habit = (late: fc.Arbitrary<number>) =>
  fc.record({ late, pause: fc.integer({ min: 0, max: 5_000 }), isStranger: fc.boolean() });
const inTime = fc.array(habit(fc.integer({ min: 0, max: KEEP })), { minLength: 2, maxLength: 20 });
const atAnyTime = fc.array(habit(fc.integer({ min: -3_000, max: 6_000 })), { minLength: 2, maxLength: 20 });

const runs = { numRuns: 8 };

/** A request with what it has brought, and whether it was admitted. */
type Seen = (caller: Caller, allowed: boolean, shared: Served) => void;

/** Has callers come until they have sent so many requests in sum. Strangers bring no place, and come once a pause. */
function play(options: object, habits: readonly Habit[], onSeen: Seen): void {
  const shared = served(options, { longest: '49d', keep: KEEP });
  for (let units = 0; units < 200 && shared.consume().allowed; units += 1);
  const callers: Caller[] = habits.map((each) => ({
    ...each,
    at: shared.clock() + each.pause,
    place: true,
    denials: 0,
  }));
  for (let sent = 0; sent < 150; sent += 1) {
    const caller = callers.reduce((first, each) => (each.at < first.at ? each : first));
    shared.clock.set(Math.max(shared.clock(), caller.at));
    const { allowed, retryAfter, place } = shared.consume(1, caller.isStranger ? undefined : { place: caller.place });
    onSeen(caller, allowed, shared);
    const now = shared.clock();
    if (allowed || caller.isStranger) Object.assign(caller, { at: now + caller.pause + 1, place: true, denials: 0 });
    else {
      caller.denials += 1;
      caller.at = Math.max(now + 1, now + retryAfter + caller.late);
      caller.place = place ?? true;
    }
  }
}

describe.each(TIERS.filter(([name]) => name.startsWith('token-bucket')))(
  'A line that keeps the places of a %s',
  (_name, options) => {
    it('denies no request again that brings its place within the time for which it is kept', () => {
      fc.assert(
        fc.property(inTime, (habits) => {
          const again: boolean[] = [];
          play(options, habits, ({ isStranger, denials }, allowed) => {
            if (!isStranger && denials > 0) again.push(denials === 1 && allowed);
          });
          expect(again.every(Boolean)).toBe(true);
        }),
        runs,
      );
    });
  },
);

describe.each(TIERS)('A line that keeps the places of a %s', (_name, options) => {
  it('denies no more requests again that bring their places in time than others have taken units beside them', () => {
    fc.assert(
      fc.property(inTime, (habits) => {
        // Units of a window come back together, long before the moments for which they were told.
        let taken = 0;
        play(options, habits, ({ isStranger, denials }, allowed) => {
          if (allowed && (isStranger || denials === 0)) taken += 1;
          if (!allowed && !isStranger && denials > 0) taken -= 1;
          expect(taken).toBeGreaterThanOrEqual(0);
        });
      }),
      runs,
    );
  });

  it('admits no request that the tier would not admit in the same state', () => {
    fc.assert(
      fc.property(atAnyTime, (habits) => {
        const plain = served(options);
        for (let units = 0; units < 200 && plain.consume().allowed; units += 1);
        const admitted: boolean[] = [];
        play(options, habits, (_caller, allowed, shared) => {
          plain.clock.set(shared.clock());
          // A denial charges nothing, so that both have one state.
          if (allowed) admitted.push(plain.consume().allowed);
        });
        expect(admitted.every(Boolean)).toBe(true);
      }),
      runs,
    );
  });
});
