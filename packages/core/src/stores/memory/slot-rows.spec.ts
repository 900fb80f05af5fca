import { SlotRows } from './slot-rows.js';

const LARGE = 2 ** 52 - 1;
const COUNT_MAX = 2 ** 32 - 1;

describe('SlotRows', () => {
  it.each([
    ['two numbers', [LARGE, LARGE]],
    ['the ring of a sliding window', [LARGE, COUNT_MAX, COUNT_MAX]],
    ['a ring whose counts exceed 32 bits', [1, 2 ** 32, 3]],
    ['a long ring', [1, 2, 3, 4, 5]],
    ['an object', { length: 2 }],
  ])('gives back %s', (_name, state) => {
    const rows = new SlotRows(16);

    rows.write(7, 0, state);
    rows.write(6, 1, [1, 1, 1]);
    rows.write(8, 2, [2, 2]);
    rows.grow(32);

    expect(rows.stateOf(7)).toEqual(state);
  });

  it('gives back the newest state, whatever was there before', () => {
    const rows = new SlotRows(16);

    for (const state of [
      [1, 2, 3, 4],
      [5, 6],
      [7, 8, 9],
      [1, 2, 3, 4, 5],
      [3, 4],
    ]) {
      rows.write(0, 0, state);
      expect(rows.stateOf(0)).toEqual(state);
    }
  });

  it('keeps beside a state its policy, when it is due and its place', () => {
    const rows = new SlotRows(16);

    for (const state of [[LARGE, LARGE], [LARGE, COUNT_MAX, COUNT_MAX], { length: 2 }]) {
      for (const slot of [6, 7, 8]) {
        rows.setDue(slot, LARGE - slot);
        rows.setPlace(slot, COUNT_MAX - slot);
        rows.write(slot, 2 ** 24 + slot, state);
      }
      rows.grow(32);

      expect([6, 7, 8].map((slot) => LARGE - rows.dueOf(slot))).toEqual([6, 7, 8]);
      expect([6, 7, 8].map((slot) => COUNT_MAX - rows.placeOf(slot))).toEqual([6, 7, 8]);
      expect([6, 7, 8].map((slot) => rows.policyOf(slot) - 2 ** 24)).toEqual([6, 7, 8]);
      expect([6, 7, 8].map((slot) => rows.stateOf(slot))).toEqual([state, state, state]);
    }
  });

  it('forgets what was cleared', () => {
    const rows = new SlotRows(16);
    rows.write(0, 0, [1, 2, 3, 4]);

    rows.clear(0);

    expect(rows.objects).toBe(0);
  });

  it('holds no object of a state that has become two numbers', () => {
    const rows = new SlotRows(16);
    rows.write(0, 0, [1, 2, 3, 4]);

    rows.write(0, 0, [1, 2]);

    expect(rows.objects).toBe(0);
  });
});
