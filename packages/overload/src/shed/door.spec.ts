import * as fc from 'fast-check';
import type { DoorEvent } from './shed-events.js';
import { Door, type Waiting } from './door.js';
import type { Priority } from './shedder-options.js';

/** A door in an event loop that a test turns. */
function manualDoor({ descriptors = Infinity } = {}) {
  let now = 0;
  let atEnd: (() => void)[] = [];
  /** Whether the loop may not sleep before the end of a turn. */
  const urgent: boolean[] = [];
  const afterWork: (() => void)[] = [];
  const events: DoorEvent[] = [];
  const released: (readonly [name: string, isThere: boolean])[] = [];
  /** How many were let in by hand when the work of a request ended. */
  const worked: number[] = [];
  const turns = {
    now: () => now,
    atEnd(callback: () => void, isUrgent: boolean) {
      atEnd.push(callback);
      urgent.push(isUrgent);
    },
    afterWork: (callback: () => void) => void afterWork.push(callback),
    descriptors: () => descriptors,
  };
  const door = new Door(turns, (event) => events.push(event));
  const turn = (accepted: number, { lasts = 1, descriptor = -1 } = {}) => {
    for (let connection = 0; connection < accepted; connection += 1) door.accept(descriptor);
    now += lasts;
    const callbacks = atEnd;
    atEnd = [];
    for (const callback of callbacks) callback();
    while (afterWork.length > 0) {
      worked.push(released.length);
      afterWork.shift()!();
    }
  };
  const hold = (
    name: string,
    { priority = 'normal', hasLeft = false }: { priority?: Priority; hasLeft?: boolean } = {},
  ) => {
    const waiting: Waiting = {
      priority,
      hasLeft: () => hasLeft,
      release: (isThere) => void released.push([name, isThere]),
    };
    door.hold(waiting);
  };
  return { door, turn, hold, released, worked, urgent, events, isWatching: () => atEnd.length > 0 };
}

describe('Door', () => {
  it('is no queue after one turn that has accepted, and one after two in a row', () => {
    const { door, turn } = manualDoor();
    const isQueuedAfter = [1, 0, 1, 1, 1, 0].map((accepted) => {
      turn(accepted);
      return door.isQueued;
    });

    expect(isQueuedAfter).toEqual([false, false, false, true, true, false]);
  });

  it('lets all in together when a turn has accepted nothing: critical ones first, in the order in which they came', () => {
    const { turn, hold, released, events } = manualDoor();
    turn(1);
    turn(1);
    for (const priority of ['sheddable', 'normal', 'critical'] as const) {
      for (const nth of [1, 2]) hold(`${priority} ${nth}`, { priority });
      turn(1);
    }
    const before = released.length;
    turn(0);

    expect(before).toBe(0);
    expect(released.map(([name]) => name)).toEqual([
      'critical 1',
      'critical 2',
      'normal 1',
      'normal 2',
      'sheddable 1',
      'sheddable 2',
    ]);
    expect(events).toEqual([{ held: 6, left: 0, longest: 4 }]);
  });

  it('lets in what it has held for 100 ms, while turns go on to accept', () => {
    const { door, turn, hold, released, events } = manualDoor();
    turn(1);
    turn(1);
    hold('ada');
    for (let ms = 0; ms < 99; ms += 1) turn(1);
    const before = released.length;
    turn(1);

    expect([before, released.length]).toEqual([0, 1]);
    expect(events).toEqual([{ held: 1, left: 0, longest: 100 }]);
    expect(door.isQueued).toBe(true);
  });

  it('lets in at the end of a long turn what it has held for 100 ms by then, and holds it for no further turn', () => {
    const { turn, hold, released, events } = manualDoor();
    turn(1);
    turn(1);
    hold('ada');
    turn(1, { lasts: 99 });
    const before = released.length;
    turn(1, { lasts: 252 });

    expect([before, released.length]).toEqual([0, 1]);
    expect(events).toEqual([{ held: 1, left: 0, longest: 351 }]);
  });

  it('says which clients have left when it lets them in', () => {
    const { turn, hold, released, events } = manualDoor();
    turn(1);
    turn(1);
    hold('ada');
    hold('bob', { hasLeft: true });
    turn(0);

    expect(released).toEqual([
      ['ada', true],
      ['bob', false],
    ]);
    expect(events).toEqual([{ held: 2, left: 1, longest: 1 }]);
  });

  it('holds 512 requests at most, and a quarter of the descriptors that are free', () => {
    const most = ({ descriptors, descriptor }: { descriptors: number; descriptor: number }) => {
      const { door, turn, hold } = manualDoor({ descriptors });
      turn(1, { descriptor });
      turn(1, { descriptor });
      let held = 0;
      for (; door.isQueued && held < 1_000; held += 1) hold('ada');
      return held;
    };

    expect(most({ descriptors: 20_000, descriptor: 30 })).toBe(512);
    expect(most({ descriptors: 1_024, descriptor: 624 })).toBe(100);
    expect(most({ descriptors: 1_024, descriptor: 1_023 })).toBe(1);
    // Windows has none.
    expect(most({ descriptors: 1_024, descriptor: -1 })).toBe(512);
  });

  it('lets in all when it holds as many as it may, while turns go on to accept', () => {
    const { door, turn, hold, released } = manualDoor({ descriptors: 1_024 });
    turn(1, { descriptor: 1_015 });
    turn(1, { descriptor: 1_015 });
    for (const name of ['ada', 'bob', 'eve']) if (door.isQueued) hold(name);
    const before = released.length;
    turn(1, { descriptor: 1_015 });

    expect([before, released.length]).toEqual([0, 3]);
    expect(door.isQueued).toBe(true);
  });

  it('waits for the work of a request before it lets in the next one, and holds nothing meanwhile', () => {
    const { door, turn, hold, released, worked } = manualDoor();
    turn(1);
    turn(1);
    const seen: boolean[] = [];
    const look = { priority: 'critical' as const, hasLeft: () => false, release: () => void seen.push(door.isQueued) };
    door.hold(look);
    door.hold(look);
    hold('ada');
    hold('bob');
    turn(1, { lasts: 100 });

    expect(seen).toEqual([false, false]);
    // How many were let in when the work of each ended.
    expect([released.length, worked.slice(0, 4)]).toEqual([2, [0, 0, 1, 2]]);
    expect(door.isQueued).toBe(true);
  });

  it('holds the first request no longer because others come after it', () => {
    const { turn, hold, events } = manualDoor();
    turn(1);
    turn(1);
    for (let ms = 0; ms < 100; ms += 1) {
      hold('ada');
      turn(1);
    }

    expect(events).toEqual([{ held: 100, left: 0, longest: 100 }]);
  });

  it('counts a turn once that has accepted many connections, as Node did before 20.3', () => {
    const { door, turn } = manualDoor();
    turn(40);

    expect(door.isQueued).toBe(false);
  });

  it('lets the loop sleep until it is a queue', () => {
    const { turn, urgent } = manualDoor();
    for (const accepted of [1, 0, 1, 1, 1, 0]) turn(accepted);

    expect(urgent).toEqual([false, false, false, false, true, true]);
  });

  it('looks at no turn while no connection comes', () => {
    const { turn, isWatching } = manualDoor();
    const before = isWatching();
    turn(1);
    const after = isWatching();
    turn(0);

    expect([before, after, isWatching()]).toEqual([false, true, false]);
  });

  it('lets in each request once and within 100 ms, or at the end of the turn that is longer', () => {
    const step = fc.oneof(
      fc.record({ turn: fc.nat(3), lasts: fc.nat(150) }),
      fc.constantFrom<Priority>('critical', 'normal', 'sheddable'),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { door, turn, hold, released, events } = manualDoor();
        let [held, longestTurn] = [0, 0];
        for (const each of steps) {
          if (typeof each !== 'string') {
            turn(each.turn, { lasts: each.lasts });
            longestTurn = Math.max(longestTurn, each.lasts);
          } else if (door.isQueued) hold(String((held += 1)), { priority: each });
        }
        turn(0);
        turn(0);

        expect(released.map(([name]) => Number(name)).toSorted((one, other) => one - other)).toEqual(
          Array.from({ length: held }, (_, index) => index + 1),
        );
        for (const { longest } of events) expect(longest).toBeLessThan(100 + Math.max(1, longestTurn));
      }),
    );
  });
});
