import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root } from './root.mjs';

/** What follows a number, or continues it: the reader would see two numbers, or one without its unit. */
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
 * The split numbers of pages, as lines with their place and what to write.
 *
 * @param {readonly string[]} files
 * @param {(file: string) => string} read
 */
export function splitNumbersIn(files, read = (file) => readFileSync(join(root, file), 'utf8')) {
  return files.flatMap((file) =>
    splitNumbers(read(file)).map(
      (line) => `${file}:${line}: a number continues in the next line: write no-break spaces`,
    ),
  );
}

/** Prints what it finds, and returns an exit code. */
export function checkNumbers() {
  const listed = execFileSync('git', ['ls-files', '--', '*.md'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const found = splitNumbersIn(listed.split('\n').filter((path) => path !== ''));
  for (const line of found) console.error(line);
  return found.length === 0 ? 0 : 1;
}

if (isMain(import.meta.url)) process.exitCode = checkNumbers();
