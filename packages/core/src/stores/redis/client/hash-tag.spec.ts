import { hashTag } from './hash-tag.js';

describe('hashTag', () => {
  it.each([
    ['what stands between the braces', 'rl:{abc}:hour:sw123', 'abc'],
    ['what stands between the first of several', '{a}{b}', 'a'],
    ['what stands before the first closing brace', '{a{b}c}', 'a{b'],
    ['all of a key without braces', 'abc', 'abc'],
    ['all of a key with nothing between them', '{}abc', '{}abc'],
    ['all of a key that closes before it opens', '}abc{', '}abc{'],
  ])('is %s', (_what, key, tag) => {
    expect(hashTag(key)).toBe(tag);
  });
});
