import type { Use } from '../source/imports.js';
import type { Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import type { Syntax } from '../source/syntax.js';
import { guardText, typesText } from './flexible-helper.js';

/** Names that a program may use as types, and keep. */
const TYPES = ['RateLimiterRes', 'RateLimiterMemory', 'RateLimiterRedis', 'RateLimiterAbstract'];

/**
 * The edits of a file that names the types of the library, or tests for the class of a denial.
 *
 * @param isDone true for a use that is translated elsewhere
 */
export function typeEdits(file: SourceFile, uses: readonly Use[], isDone: (use: Use) => boolean): Edit[] {
  const end = file.text.length;
  const isTested = ({ exported, node }: Use) => exported === 'RateLimiterRes' && isTest(file, node);
  // A class whose import stays keeps its type too: an interface of its name beside it does not compile.
  const left = uses.filter((use) => !isType(file, use) && !isTested(use) && !isDone(use));
  const isLeft = (name: string) => left.some(({ exported }) => exported === name);
  if (isLeft('RateLimiterRes')) return [];
  const types = uses.filter((use) => TYPES.includes(use.exported) && isType(file, use) && !isLeft(use.exported));
  const tests = uses.filter(isTested);
  const names = new Set([...types, ...(file.isTypeScript ? tests : [])].map(({ exported }) => exported));
  const text = (names.size > 0 ? typesText(file, names) : '') + (tests.length > 0 ? guardText(file) : '');
  if (text === '') return [];
  return [
    // The same text: the name is now that of the file.
    ...types.map(({ node: { start, end: last }, exported }) => ({ start, end: last, text: exported })),
    ...tests.map(({ node }) => {
      const test = file.parentOf(node)!;
      return { start: test.start, end: test.end, text: `isDenial(${file.textOf(test.left as Syntax)})` };
    }),
    { start: end, end, text },
  ];
}

function isType(file: SourceFile, { node }: Use): boolean {
  const parent = file.parentOf(node)!;
  return (
    parent.type === 'TSTypeReference' ||
    (parent.type === 'TSQualifiedName' && file.parentOf(parent)?.type === 'TSTypeReference')
  );
}

function isTest(file: SourceFile, node: Syntax): boolean {
  const parent = file.parentOf(node)!;
  return parent.type === 'BinaryExpression' && parent.operator === 'instanceof' && parent.right === node;
}
