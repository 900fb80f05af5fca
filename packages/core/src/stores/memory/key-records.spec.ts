import { KeyRecords } from './key-records.js';

const LARGE = 2 ** 52 - 1;
const COUNT_MAX = 2 ** 32 - 1;

describe('KeyRecords', () => {
  it.each([
    ['two numbers', [LARGE, LARGE]],
    ['the ring of a sliding window', [LARGE, COUNT_MAX, COUNT_MAX]],
    ['a ring whose counts exceed 32 bits', [1, 2 ** 32, 3]],
    ['a long ring', [1, 2, 3, 4, 5]],
    ['an object', { length: 2 }],
  ])('stores %s, with the policy, the check time and the heap place of the slot', (_name, state) => {
    const records = new KeyRecords(16);

    for (const slot of [6, 7, 8]) {
      records.setCheckAt(slot, LARGE - slot);
      records.setPlace(slot, COUNT_MAX - slot);
      records.write(slot, 2 ** 24 + slot, slot === 7 ? state : [1, 1]);
    }
    records.grow(32);

    expect([6, 7, 8].map((slot) => records.stateOf(slot))).toEqual([[1, 1], state, [1, 1]]);
    expect([6, 7, 8].map((slot) => LARGE - records.checkAtOf(slot))).toEqual([6, 7, 8]);
    expect([6, 7, 8].map((slot) => COUNT_MAX - records.placeOf(slot))).toEqual([6, 7, 8]);
    expect([6, 7, 8].map((slot) => records.policyOf(slot) - 2 ** 24)).toEqual([6, 7, 8]);
  });

  it('returns the newest state, and drops the object of the last one or of a cleared slot', () => {
    const records = new KeyRecords(16);

    for (const length of [4, 2, 3, 5, 2]) {
      const state = Array.from({ length }, (_, index) => index + length);
      records.write(0, 0, state);
      expect(records.stateOf(0)).toEqual(state);
    }
    expect(records.objects).toBe(0);
    records.write(0, 0, [1, 2, 3, 4]);
    records.clear(0);
    expect(records.objects).toBe(0);
  });
});
