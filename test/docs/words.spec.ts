import { countWords, MAX_WORDS, wordsOfPages } from '../../scripts/words.mjs';

it('counts runs with a letter or a digit as words', () => {
  expect(countWords('| `limit` | 5 a minute |\n| --- | --- |\nconst a = () => 1;')).toBe(7);
});

it(`the documentation has at most ${MAX_WORDS} words, with its programs`, () => {
  expect(wordsOfPages().reduce((total, { words }) => total + words, 0)).toBeLessThanOrEqual(MAX_WORDS);
});
