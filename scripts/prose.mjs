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

/** Files whose prose is checked. Generated ones are not, nor the tool that lists the words and its spec. */
const CHECKED = ['packages', 'examples', 'bench', 'scripts', 'site', 'test', 'docs', '*.md', '*.mjs'];
const LEFT_OUT =
  /(?:^|\/)(?:scripts\.ts|results\.\w+|prose\.(?:mjs|spec\.ts)|LICENSE|pnpm-lock\.yaml)$|\.(?:svg|patch|json)$/;
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

/** What follows a number, or goes on with it: the reader would see two numbers, or one without its unit. */
const REST_OF_NUMBER = /^\s*(?:\d{3}(?!\d)|(?:[kMG]i?)?B|[mµn]?s|min|h|times|%)(?![\w-])/;

/**
 * The lines of a page that end within a number, outside of its programs and tables.
 *
 * @param {string} text
 * @returns {readonly number[]}
 */
export function splitNumbers(text) {
  let isProgram = false;
  return text.split('\n').flatMap((content, index, lines) => {
    if (/^\s*```/.test(content)) isProgram = !isProgram;
    if (isProgram || content.endsWith('|')) return [];
    return /(?:^|[\s(~])\d[\d.,]*$/.test(content) && REST_OF_NUMBER.test(lines[index + 1] ?? '') ? [index + 1] : [];
  });
}

/**
 * The split numbers of pages, as lines with place and advice.
 *
 * @param {readonly string[]} files
 * @param {(file: string) => string} read
 */
export function splitNumbersIn(files, read = (file) => readFileSync(join(root, file), 'utf8')) {
  const pages = files.filter((file) => file.endsWith('.md'));
  return pages.flatMap((file) =>
    splitNumbers(read(file)).map((line) => `${file}:${line}: a number goes on in the next line: write no-break spaces`),
  );
}

/**
 * The slow words of files, as lines with place, word and advice.
 *
 * @param {readonly string[]} files
 * @param {(file: string) => string} read
 */
export function slowWordsIn(files, read = (file) => readFileSync(join(root, file), 'utf8')) {
  return files
    .filter((file) => !LEFT_OUT.test(file))
    .flatMap((file) => slowWords(read(file)).map(({ line, ...found }) => sentence(`${file}:${line}`, found)));
}

/** Prints what it finds, and returns an exit code. @param {readonly string[]} folders */
export function checkProse(folders = CHECKED) {
  const subjects = folders === CHECKED ? git('log', '--no-merges', `-${SUBJECTS_CHECKED}`, '--format=%h %s') : [];
  const files = git('ls-files', '--', ...folders);
  const found = [
    ...slowWordsIn(files),
    ...splitNumbersIn(files),
    ...subjects.flatMap((text) => slowWords(text).map((each) => sentence(`commit ${text.slice(0, 8)}`, each))),
  ];
  for (const line of found) console.error(line);
  return found.length === 0 ? 0 : 1;
}

/**
 * @param {string} place
 * @param {{ word: string, instead: string }} found
 */
function sentence(place, { word, instead }) {
  return `${place}: "${word}": write ${instead}`;
}

/** @param {readonly string[]} args */
function git(...args) {
  const text = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return text.split('\n').filter((line) => line !== '');
}

if (isMain(import.meta.url)) process.exitCode = checkProse(process.argv.length > 2 ? process.argv.slice(2) : undefined);
