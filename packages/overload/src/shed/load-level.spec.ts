import { LoadLevel } from './load-level.js';

/** A level whose timer has been late by these delays, in ticks of 10 ms and their delay. */
function after(delays: readonly number[], load = new LoadLevel(50)) {
  let now = 0;
  let busy = 0;
  const tick = (late: number, worked = late) => {
    now += 10 + late;
    busy += worked;
    load.tick(now, late, () => busy);
  };
  /** Requests of 5 ms, until the timer is as late. @returns the highest level that one of them meets */
  const turn = (late: number) => {
    let highest = 0;
    for (let own = 0; own < late; own += 5) highest = Math.max(highest, load.levelAt(now + 10 + own, own));
    tick(late);
    return highest;
  };
  for (const late of delays) tick(late);
  return { load, tick, turn, now: () => now };
}

/** A level without an overload, which has seen requests of 10 ms of work. */
function taught() {
  const made = after([]);
  for (let second = 0; second < 3; second += 1) {
    for (let request = 0; request < 50; request += 1) made.load.admit();
    for (let ticks = 0; ticks < 50; ticks += 1) made.tick(10);
  }
  return made;
}

const times = (count: number, late: number) => new Array<number>(count).fill(late);

describe('LoadLevel', () => {
  it('is 0 at the start, and while the timer is late by no more than the target', () => {
    const { load } = after(times(200, 50));

    expect([load.level, load.standing]).toEqual([0, 50]);
  });

  it('rises when a delay above the target has stood for 1.5 s, faster for a longer one', () => {
    const [before, slow, fast] = [times(12, 100), times(20, 100), times(10, 200)].map((each) => after(each).load.level);

    expect(before).toBe(0);
    expect(slow).toBeGreaterThan(0);
    expect(fast).toBeGreaterThan(slow!);
  });

  it('earns its headroom in a second with a queue of twice the target, also in a process that has just begun', () => {
    const { load, turn } = after([]);
    const levels = Array.from({ length: 12 }, () => {
      turn(100);
      return load.level;
    });

    expect(levels.findIndex((level) => level > 0)).toBe(10);
  });

  it('stays at 0 for one pause, and for the backlog that falls after it', () => {
    const { load } = after([0, 5, 300, 240, 190, 150, 120, 95, 75, 60, 40, 10, 0]);

    expect(load.level).toBe(0);
  });

  it('takes the least of two slices, so that one long task does not stand', () => {
    const { load } = after([400, ...times(10, 0), 400, ...times(10, 0)]);

    expect(load.standing).toBe(0);
  });

  it('ends at 200', () => {
    const { load } = after(times(100, 1_000));

    expect(load.level).toBe(200);
  });

  it('falls from 200 to 0 within 5 seconds, slowly at first, in a loop that works all the time', () => {
    const { load, tick } = after(times(100, 1_000));
    for (let ticks = 0; ticks < 50; ticks += 1) tick(0, 10);
    const halfASecond = load.level;
    for (let ticks = 0; ticks < 450; ticks += 1) tick(0, 10);

    expect(halfASecond).toBeGreaterThan(190);
    expect(load.level).toBe(0);
  });

  it.each([
    [0, 200],
    [0.5, 1_000],
  ])('falls from 200 to 0 in a loop that works %d of its time, within %d ms', (part, milliseconds) => {
    const { load, tick } = after(times(100, 1_000));
    for (let time = 0; time < milliseconds; time += 10) tick(0, 10 * part);

    expect(load.level).toBe(0);
  });

  it('does not fall faster in a loop that idles while admitted requests wait for a database', () => {
    const { load, tick } = taught();
    for (let ticks = 0; ticks < 30; ticks += 1) tick(1_000);
    for (let request = 0; request < 100; request += 1) load.admit();
    for (let ticks = 0; ticks < 10; ticks += 1) tick(0);

    expect(load.level).toBeGreaterThan(190);
  });

  it('does not rise where a loop idles in each slice: it has pauses, and no queue', () => {
    const { load, tick } = after([]);
    for (let slice = 0; slice < 100; slice += 1) {
      tick(80, 1);
      tick(0);
    }

    expect([load.level, load.standing]).toEqual([0, 80]);
  });

  it.each([300, 1_000, 3_000])(
    'stays at 0 for one pause of %d ms, whose backlog falls by half in each turn',
    (pause) => {
      const { load, tick } = after(times(20, 0));
      for (let late = pause; late > 1; late /= 2) tick(late);

      expect(load.level).toBe(0);
    },
  );

  it('does not begin in the first turn after a pause, whose requests take less time than the pause', () => {
    const { load, tick, now } = after([...times(20, 0), 1_000]);
    // New connections are accepted first, in a slice without a delay.
    for (let ticks = 0; ticks < 12; ticks += 1) tick(0, 10);
    const start = now();
    const levels = Array.from({ length: 80 }, (_, index) => load.levelAt(start + 10 + index * 5, index * 5));

    expect(Math.max(...levels)).toBe(0);
  });

  it.each([0.5, 0.7])('does not begin after a pause in which requests came at %d of the capacity', (part) => {
    for (const pause of [300, 1_000, 3_000]) {
      // New connections are accepted first, without a delay.
      for (const accepting of [0, 5, 12]) {
        const { load, turn, tick } = after([...times(20, 0), pause]);
        for (let ticks = 0; ticks < accepting; ticks += 1) tick(0, 10);
        const levels: number[] = [];
        for (let late = pause * part; late > 5; late *= part) levels.push(turn(late));

        expect([...levels, load.level]).toEqual(new Array(levels.length + 1).fill(0));
      }
    }
  });

  it('does not begin by admitted work alone, which has delayed nothing', () => {
    const { load, now } = taught();
    for (let request = 0; request < 100; request += 1) load.admit();

    expect(load.levelAt(now(), 0)).toBe(0);
  });

  it('takes the work of requests for less when the loop idles before it is done', () => {
    const { load, tick, now } = taught();
    for (let request = 0; request < 60; request += 1) load.admit();
    for (let ticks = 0; ticks < 10; ticks += 1) tick(0, 1);
    tick(60, 1);

    expect(load.levelAt(now(), 0)).toBe(0);
  });

  it('begins before a queue that grows by a fifth in each turn delays requests by 300 ms', () => {
    const { turn } = after(times(20, 5));
    let late = 10;
    while (turn(late) === 0 && late < 1_000) late *= 1.2;

    expect(late).toBeGreaterThan(150);
    expect(late).toBeLessThan(300);
  });

  it('takes a loop as busy where the platform does not tell its work', () => {
    const { load, tick } = after([]);
    for (let ticks = 0; ticks < 40; ticks += 1) tick(200, 0);

    expect(load.level).toBeGreaterThan(0);
  });

  it('adds the time that the request itself has waited, and only under overload', () => {
    const calm = after(times(20, 0));
    const { load, now } = after(times(20, 100));

    expect(calm.load.levelAt(calm.now() + 120, 110)).toBe(0);
    expect(load.levelAt(now() + 10, 0)).toBe(load.level);
    expect(load.levelAt(now() + 110, 100)).toBeCloseTo(load.level + 50);
    expect(load.levelAt(now() + 260, 250)).toBe(200);
  });

  it('begins within a turn that grows by half, and has many requests', () => {
    const { load, now } = after([...times(20, 0), 50]);
    const start = now();
    const levels = Array.from({ length: 60 }, (_, index) => load.levelAt(start + 10 + index * 5, index * 5));

    expect(levels.slice(0, 31)).toEqual(new Array(31).fill(0));
    expect(levels.at(-1)).toBeGreaterThan(100);
  });

  it('begins as soon after an hour without requests, which is no pause', () => {
    const load = new LoadLevel(50);
    const start = 3_600_000;
    const levels = Array.from({ length: 60 }, (_, index) => load.levelAt(start + index * 5, index * 5 - 10));

    expect(levels[0]).toBe(0);
    expect(levels.at(-1)).toBeGreaterThan(100);
  });

  it('does not begin in a turn with one long task', () => {
    const { load, now } = after([...times(20, 0), 50]);

    expect([load.levelAt(now() + 12, 2), load.levelAt(now() + 312, 302), load.level]).toEqual([0, 0, 0]);
  });

  it('begins when admitted requests have six targets of work before them', () => {
    const { load, tick, now } = taught();
    tick(60);
    for (let request = 0; request < 28; request += 1) load.admit();
    const before = load.levelAt(now(), 0);
    for (let request = 0; request < 10; request += 1) load.admit();

    expect(before).toBe(0);
    expect(load.levelAt(now(), 0)).toBe(200);
  });
});
