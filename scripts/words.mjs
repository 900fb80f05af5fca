import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMain, root } from './root.mjs';

/** Words that all pages together may have, with their programs and tables. */
export const MAX_WORDS = 60_000;

/** What users read: the change log and the pages for contributors are not counted. */
const PAGES = ['README.md', ':(glob)docs/**/*.md', 'packages/*/README.md', ':(glob)examples/**/*.md'];

/**
 * The words of a text: runs of characters without white space, with a letter or a digit. So the rules of tables, and
 * operators of programs, are not words.
 *
 * @param {string} text
 */
export function countWords(text) {
  return text.split(/\s+/).filter((run) => /[\p{L}\p{N}]/u.test(run)).length;
}

/**
 * The words of each page.
 *
 * @returns {readonly { path: string, words: number }[]}
 */
export function wordsOfPages() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...PAGES];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  // A page that was deleted and is not committed yet is still listed.
  const paths = listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
  return paths.map((path) => ({ path, words: countWords(readFileSync(join(root, path), 'utf8')) }));
}

// node scripts/words.mjs [--pages]: prints the words of each folder, or of each page, and fails above the bound.
if (isMain(import.meta.url)) {
  const pages = wordsOfPages();
  const groupOf = process.argv.includes('--pages') ? (/** @type {string} */ path) => path : dirname;
  for (const group of new Set(pages.map(({ path }) => groupOf(path)))) {
    console.log(String(sum(pages.filter(({ path }) => groupOf(path) === group))).padStart(6), group);
  }
  const total = sum(pages);
  console.log(`${total} words, of at most ${MAX_WORDS}`);
  if (total > MAX_WORDS) process.exitCode = 1;
}

/** @param {readonly { words: number }[]} pages */
function sum(pages) {
  return pages.reduce((total, { words }) => total + words, 0);
}
