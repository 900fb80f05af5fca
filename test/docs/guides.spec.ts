import { pages, prose } from './pages.js';

const MAX_WORDS = 1_200;

it.each(pages().filter(({ path }) => path.startsWith('docs/guide/')))(
  `$path has at most ${MAX_WORDS} words beside its code`,
  (guide) => {
    const words = prose(guide)
      .split(/\s+/)
      .filter((text) => /[\p{L}\p{N}]/u.test(text));

    expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
  },
);
