import { TopIdentities } from './top-identities.js';

const digest = (letter: string) => letter.repeat(22);

function topOf(counts: Readonly<Record<string, number>>, label?: string): TopIdentities {
  const top = new TopIdentities(() => 0);
  for (const [letter, count] of Object.entries(counts)) {
    for (let times = 0; times < count; times += 1) {
      top.count('minute', `rl:{${digest(letter)}}:minute:fw000`, label);
    }
  }
  return top;
}

describe('TopIdentities', () => {
  it('has the most frequent first, by the beginning of their digests', () => {
    expect(topOf({ a: 1, b: 3 }).entries()).toEqual([
      { tier: 'minute', digest: 'bbbbbbbb', count: 3, error: 0, share: 0.75 },
      { tier: 'minute', digest: 'aaaaaaaa', count: 1, error: 0, share: 0.25 },
    ]);
  });

  it('has the label of a tier', () => {
    expect(topOf({ a: 1 }, 'Ada').entries()).toMatchObject([{ digest: 'aaaaaaaa', label: 'Ada' }]);
  });

  it('adds what other processes have counted, and their errors', () => {
    const identities = [
      { tier: 'minute', digest: digest('a'), count: 6, error: 2 },
      { tier: 'minute', digest: digest('c'), count: 1, error: 0 },
    ];

    const entries = topOf({ a: 1, b: 2 }, 'Ada').entries({ identities, totalOf: () => 7 });

    expect(entries).toEqual([
      { tier: 'minute', digest: 'aaaaaaaa', label: 'Ada', count: 7, error: 2, share: 0.5 },
      { tier: 'minute', digest: 'bbbbbbbb', label: 'Ada', count: 2, error: 0, share: 0.2 },
      { tier: 'minute', digest: 'cccccccc', count: 1, error: 0, share: 0.1 },
    ]);
  });

  it('has at most 20', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';

    expect(topOf(Object.fromEntries(Array.from(letters).map((letter) => [letter, 1]))).entries()).toHaveLength(20);
  });

  it('finds the digest of an entry in its tier alone', () => {
    const top = topOf({ a: 1 });

    expect(top.digestOf('minute', 'aaaaaaaa')).toBe(digest('a'));
    expect(top.digestOf('hour', 'aaaaaaaa')).toBeUndefined();
    for (const shown of ['bbbbbbbb', '', 'a']) expect(top.digestOf('minute', shown)).toBeUndefined();
  });
});
