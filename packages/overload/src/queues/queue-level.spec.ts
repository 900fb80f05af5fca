import { QueueLevel } from './queue-level.js';

const nobody = { normal: 0, sheddable: 0 };

/** A level of a queue in which acquisitions have waited for 400 ms. */
function raised(waits: { readonly normal: number; readonly sheddable: number }, slices: number): QueueLevel {
  const level = new QueueLevel(200);
  for (let slice = 0; slice < slices; slice += 1) level.endSlice({ waits, room: 0, fits: 1, refused: nobody });
  return level;
}

describe('QueueLevel', () => {
  it('falls at once in a pool with room whose queue refuses nobody', () => {
    const level = raised({ normal: 0, sheddable: 400 }, 50);
    const before = level.level;
    level.endSlice({ waits: nobody, room: 0.4, fits: 8, refused: nobody });
    level.endSlice({ waits: nobody, room: 0.4, fits: 8, refused: nobody });

    expect([before, level.level]).toEqual([100, 0]);
  });

  it('lets in no more of a flood than the room of the pool serves', () => {
    const level = raised({ normal: 0, sheddable: 400 }, 50);
    level.endSlice({ waits: nobody, room: 0.4, fits: 8, refused: { normal: 0, sheddable: 200 } });
    const first = level.level;
    // Four in a hundred of them are let in now, which is twice as much as the pool needs.
    level.endSlice({ waits: nobody, room: 0, fits: 1, refused: { normal: 0, sheddable: 192 } });

    expect(first).toBe(96);
    expect(level.level).toBeGreaterThan(95);
  });

  it('lets normal acquisitions in before sheddable ones, as far as they fit', () => {
    const level = raised({ normal: 400, sheddable: 400 }, 60);
    const falls = (refused: { readonly normal: number; readonly sheddable: number }) => {
      const before = level.level;
      level.endSlice({ waits: nobody, room: 1, fits: 5, refused });
      return before - level.level;
    };

    expect(level.level).toBe(200);
    expect(falls({ normal: 20, sheddable: 500 })).toBe(25);
    expect(falls({ normal: 0, sheddable: 500 })).toBe(75);
    expect(falls({ normal: 0, sheddable: 500 })).toBe(4);
  });

  it('falls twice as far in each slice in which the pool still has room, for clients that have one cohort', () => {
    const level = raised({ normal: 0, sheddable: 400 }, 50);
    const levels = Array.from({ length: 7 }, () => {
      level.endSlice({ waits: nobody, room: 0.4, fits: 8, refused: { normal: 0, sheddable: 200 } });
      return Math.round(level.level);
    });

    expect(levels).toEqual([96, 88, 74, 50, 18, 0, 0]);
  });
});
