import { StateColumns } from './state-columns.js';

const LARGE = 2 ** 52 - 1;
const COUNT_MAX = 2 ** 32 - 1;

describe('StateColumns', () => {
  it.each([
    ['two numbers', [LARGE, LARGE]],
    ['the ring of a sliding window', [LARGE, COUNT_MAX, COUNT_MAX]],
    ['a ring whose counts exceed 32 bits', [1, 2 ** 32, 3]],
    ['a long ring', [1, 2, 3, 4, 5]],
    ['an object', { length: 2 }],
  ])('gives back %s', (_name, state) => {
    const columns = new StateColumns(16);

    columns.write(7, state);
    columns.write(6, [1, 1, 1]);
    columns.write(8, [2, 2]);
    columns.grow(32);

    expect(columns.read(7)).toEqual(state);
  });

  it('gives back the newest state, whatever was there before', () => {
    const columns = new StateColumns(16);

    for (const state of [
      [1, 2, 3, 4],
      [5, 6],
      [7, 8, 9],
      [1, 2, 3, 4, 5],
      [3, 4],
    ]) {
      columns.write(0, state);
      expect(columns.read(0)).toEqual(state);
    }
  });

  it('forgets what was cleared', () => {
    const columns = new StateColumns(16);
    columns.write(0, [1, 2, 3, 4]);

    columns.clear(0);

    expect(columns.objects).toBe(0);
  });

  it('holds no object of a state that has become two numbers', () => {
    const columns = new StateColumns(16);
    columns.write(0, [1, 2, 3, 4]);

    columns.write(0, [1, 2]);

    expect(columns.objects).toBe(0);
  });
});
