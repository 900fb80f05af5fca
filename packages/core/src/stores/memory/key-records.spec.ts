import { definePolicy } from '../../algorithms/named/policy-options.js';
import { KeyRecords, SHIFT } from './key-records.js';
import { PolicyPool } from './policy-pool.js';

const LARGE = 2 ** 52 - 1;
const COUNT_MAX = 2 ** 32 - 1;
const policies = [5, 6, 7].map((limit) => definePolicy({ limit, window: '1h' }));

// 1 state, and as many as lie on both sides of a power of two.
describe.each([1, 2, 3, 4])('KeyRecords of %i states', (states) => {
  it.each([
    ['two numbers', [LARGE, LARGE]],
    ['the ring of a sliding window', [LARGE, COUNT_MAX, COUNT_MAX]],
    ['a ring whose counts exceed 32 bits', [1, 2 ** 32, 3]],
    ['a long ring', [1, 2, 3, 4, 5]],
    ['an object', { length: 2 }],
  ])('stores %s, with the policy of each state, and the check time and the heap place of the row', (_name, state) => {
    const records = new KeyRecords(16, new PolicyPool(), states);
    const slotsOf = (row: number) => Array.from({ length: states }, (_, index) => (row << SHIFT) + index);

    for (const row of [6, 7, 8]) {
      records.setCheckAt(row, LARGE - row);
      records.setPlace(row, COUNT_MAX - row);
      for (const slot of slotsOf(row)) records.write(slot, policies[row - 6]!, row === 7 ? state : [1, 1]);
    }
    records.grow(32);

    for (const row of [6, 7, 8]) {
      expect(LARGE - records.checkAtOf(row)).toBe(row);
      expect(COUNT_MAX - records.placeOf(row)).toBe(row);
      expect(slotsOf(row).map((slot) => records.stateOf(slot))).toEqual(
        slotsOf(row).map(() => (row === 7 ? state : [1, 1])),
      );
      expect(slotsOf(row).map((slot) => records.policyOf(slot))).toEqual(slotsOf(row).map(() => policies[row - 6]));
    }
  });

  it('returns the newest state, and drops the object of the last one or of a cleared slot', () => {
    const records = new KeyRecords(16, new PolicyPool(), states);
    const slot = states - 1;

    for (const length of [4, 2, 3, 5, 2]) {
      const state = Array.from({ length }, (_, index) => index + length);
      records.write(slot, policies[0]!, state);
      expect(records.stateOf(slot)).toEqual(state);
    }
    expect(records.objects).toBe(0);
    records.write(slot, policies[0]!, [1, 2, 3, 4]);
    records.clear(slot);
    expect([records.objects, records.holds(slot), records.stateOf(slot)]).toEqual([0, false, undefined]);
  });

  it('loads only a state of the key, the policy and the form that are asked for', () => {
    const pool = new PolicyPool();
    const records = new KeyRecords(16, pool, states);
    const slot = (3 << SHIFT) + states - 1;
    const number = pool.acquire(policies[0]!);
    records.keys[3] = 'key';
    records.write(slot, policies[0]!, [7, 8]);
    const cells = new Float64Array(4);

    expect(records.load(slot, 'other', number, 2, cells, 1)).toBe(false);
    expect(records.load(slot, 'key', number + 1, 2, cells, 1)).toBe(false);
    expect(records.load(slot, 'key', number, 3, cells, 1)).toBe(false);
    expect([...cells]).toEqual([0, 0, 0, 0]);
    expect(records.load(slot, 'key', number, 2, cells, 1)).toBe(true);
    expect([...cells]).toEqual([0, 7, 8, 0]);
  });
});
