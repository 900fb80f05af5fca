import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root } from './root.mjs';

/**
 * Words that make prose slow to read, and what to write instead. CONTRIBUTING.md has the rules.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const WORDS = [
  [/\b(?:whoever|whomever|somebody|nobody|who)\b/i, 'name the client, caller, request, process or reader'],
  [/\banew\b/i, 'again'],
  [/\bbesides\b/i, 'also'],
  [/\blately\b/i, 'recently'],
  [/\bmostly\b/i, 'usually'],
  [/\bunder way\b/i, 'in flight'],
  [/\btold\b/i, 'reported, received, or the noun that it stands for'],
  [/\basked\b/i, 'sent, requested, or the noun that it stands for'],
  [/\b(?:is|are|was|were) none\b/i, 'is not a ...'],
  [/\b(?:is|are|was|were) kept\b/i, 'is stored, is cached'],
];

/** Files whose prose is checked. Generated ones, and the tool that lists the words, are not. */
const CHECKED = ['packages', 'examples', 'bench', 'scripts', 'test', 'docs', '*.md', '*.mjs'];
const LEFT_OUT = /(?:^|\/)(?:scripts\.ts|results\.\w+|prose\.mjs|LICENSE|pnpm-lock\.yaml)$|\.(?:svg|patch|json)$/;
const SUBJECTS_CHECKED = 20;

/**
 * @param {string} text
 * @returns {readonly { line: number, word: string, instead: string }[]}
 */
export function slowWords(text) {
  return text.split('\n').flatMap((content, index) =>
    WORDS.flatMap(([pattern, instead]) => {
      const found = pattern.exec(content);
      return found ? [{ line: index + 1, word: found[0], instead }] : [];
    }),
  );
}

/** Prints what it finds, and returns an exit code. @param {readonly string[]} folders */
export function checkProse(folders = CHECKED) {
  const files = git('ls-files', '--', ...folders).filter((file) => !LEFT_OUT.test(file));
  const found = files.flatMap((file) =>
    slowWords(readFileSync(join(root, file), 'utf8')).map((each) => ({ place: `${file}:${each.line}`, ...each })),
  );
  const subjects = git('log', '--no-merges', `-${SUBJECTS_CHECKED}`, '--format=%h %s');
  for (const subject of folders === CHECKED ? subjects : []) {
    for (const each of slowWords(subject)) found.push({ place: `commit ${subject.slice(0, 8)}`, ...each });
  }
  for (const { place, word, instead } of found) console.error(`${place}: "${word}": write ${instead}`);
  return found.length === 0 ? 0 : 1;
}

/** @param {readonly string[]} args */
function git(...args) {
  const text = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return text.split('\n').filter((line) => line !== '');
}

if (isMain(import.meta.url)) process.exitCode = checkProse(process.argv.length > 2 ? process.argv.slice(2) : undefined);
