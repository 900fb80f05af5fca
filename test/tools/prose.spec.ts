import { checkProse, slowWords, slowWordsIn, splitNumbersIn } from '../../scripts/prose.mjs';

describe('prose', () => {
  it('names the file, the line, the word and what to write instead', () => {
    const read = (file: string) => (file === 'docs/limits.md' ? 'A limit.\nThe caller is Told.\n' : 'A limit.\n');

    expect(slowWordsIn(['docs/index.md', 'docs/limits.md'], read)).toEqual([
      'docs/limits.md:2: "Told": write reported, received, or the noun that it stands for',
    ]);
  });

  it.each([
    'The client who waits.',
    'Whoever calls it.',
    'It starts anew.',
    'Besides, it waits.',
    'It was lately seen.',
    'Mostly small numbers.',
    'A batch is under way.',
    'The store is asked.',
    'A key is none of these.',
    'Texts are kept.',
  ])('finds a word in: %s', (text) => {
    expect(slowWords(text)).toHaveLength(1);
  });

  it('leaves longer words alone, and generated files', () => {
    expect(slowWords('The whole toldy tasked threshold is unasked.')).toEqual([]);
    expect(slowWordsIn(['packages/core/src/stores/redis/lua/scripts.ts'], () => 'It is asked.')).toEqual([]);
  });

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

  it('finds no such word in the repository', () => {
    expect(checkProse()).toBe(0);
  });
});
