import { hashTag } from './hash-tag.js';

describe('hashTag', () => {
  it.each([
    ['the text in the braces', 'rl:{abc}:hour:sw123', 'abc'],
    ['the text in the first braces', '{a}{b}', 'a'],
    ['the text before the first closing brace', '{a{b}c}', 'a{b'],
    ['a whole key without braces', 'abc', 'abc'],
    ['a whole key with empty braces', '{}abc', '{}abc'],
    ['a whole key that closes before it opens', '}abc{', '}abc{'],
  ])('returns %s', (_what, key, tag) => {
    expect(hashTag(key)).toBe(tag);
  });
});
