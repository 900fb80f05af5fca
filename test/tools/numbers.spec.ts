import { checkNumbers, splitNumbersIn } from '../../scripts/numbers.mjs';

describe('splitNumbersIn', () => {
  it.each([
    ['It takes 1\n192 B.', 1],
    ['It takes 88\nB, or more.', 1],
    ['It takes 2.5\nms.', 1],
    ['It takes 1\u00a0192\u00a0B,\nor 88 B.', 0],
    ['It takes 5\nseconds and 100\nrequests.', 0],
    ['```text\n1\n192\n```', 0],
    ['| 1 |\n192 B', 0],
  ])('finds a number that is split over lines: %j', (text, count) => {
    expect(splitNumbersIn(['docs/limits.md'], () => text)).toHaveLength(count);
  });

  it('finds no split number in the pages of the repository', () => {
    expect(checkNumbers()).toBe(0);
  });
});
