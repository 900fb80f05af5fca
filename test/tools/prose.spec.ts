import { checkProse, slowWords, slowWordsIn } from '../../scripts/prose.mjs';

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

  it('finds no such word in the repository', () => {
    expect(checkProse()).toBe(0);
  });
});
