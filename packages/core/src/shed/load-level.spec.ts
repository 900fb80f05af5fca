import { LoadLevel } from './load-level.js';

/** A level whose timer has been late by these delays, in ticks of 10 ms and their delay. */
function after(delays: readonly number[], load = new LoadLevel(50)) {
  let now = 0;
  let busy = 0;
  const tick = (late: number) => {
    now += 10 + late;
    busy += late;
    load.tick(now, late, () => busy);
  };
  for (const late of delays) tick(late);
  return { load, tick, now: () => now };
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

  it('falls from 200 to 0 within 5 seconds, slowly at first', () => {
    const { load, tick } = after(times(100, 1_000));
    for (let ticks = 0; ticks < 50; ticks += 1) tick(0);
    const halfASecond = load.level;
    for (let ticks = 0; ticks < 450; ticks += 1) tick(0);

    expect(halfASecond).toBeGreaterThan(190);
    expect(load.level).toBe(0);
  });

  it('adds what a request has waited itself, and not in calm', () => {
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

  it('does not begin in a turn with one long task', () => {
    const { load, now } = after([...times(20, 0), 50]);

    expect([load.levelAt(now() + 12, 2), load.levelAt(now() + 312, 302), load.level]).toEqual([0, 0, 0]);
  });

  it('begins when admitted requests have ten targets of work before them', () => {
    const { load, tick, now } = after([]);
    // 10 ms of work for each request.
    for (let second = 0; second < 3; second += 1) {
      for (let request = 0; request < 50; request += 1) load.admit();
      for (let ticks = 0; ticks < 50; ticks += 1) tick(10);
    }
    tick(60);
    for (let request = 0; request < 45; request += 1) load.admit();
    const before = load.levelAt(now(), 0);
    for (let request = 0; request < 40; request += 1) load.admit();

    expect(before).toBe(0);
    expect(load.levelAt(now(), 0)).toBe(200);
  });
});
