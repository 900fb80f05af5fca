import { countWords } from '../../scripts/words.mjs';
import { pages, prose } from './pages.js';

const MAX_WORDS = 1_200;

it.each(pages().filter(({ path }) => path.startsWith('docs/guide/')))(
  `$path has at most ${MAX_WORDS} words beside its code`,
  (guide) => {
    expect(countWords(prose(guide))).toBeLessThanOrEqual(MAX_WORDS);
  },
);
