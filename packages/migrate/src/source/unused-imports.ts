import type { Edit } from './edit.js';
import type { SourceFile } from './source-file.js';
import { bare, type Syntax } from './syntax.js';

/** The edits that remove imports of TypeScript which nothing uses any more: its compiler can refuse those. */
export function unusedImportEdits(before: SourceFile, after: SourceFile): Edit[] {
  if (!after.isTypeScript) return [];
  return after.nodesOf('ImportDeclaration').flatMap((statement) => {
    const specifiers = statement.specifiers as Syntax[];
    const unused = specifiers.filter(({ local }) => isLeft(before, after, bare(local).name as string));
    if (unused.length === 0) return [];
    if (unused.length === specifiers.length) return [withoutLine(after, statement)];
    // Names beside a default stay together, because removing them is another statement.
    if (specifiers.some(({ type }) => type !== 'ImportSpecifier')) return [];
    const list = specifiers.filter((each) => !unused.includes(each)).map((each) => after.textOf(each));
    const [start, end] = [specifiers[0]!.start, specifiers.at(-1)!.end];
    return [{ start, end, text: list.join(', ') }];
  });
}

/** True for a name that the program used before, and now has in its import alone: not in JSX or a comment either. */
function isLeft(before: SourceFile, after: SourceFile, name: string): boolean {
  if (before.referencesOf(name).length === 0) return false;
  return [...after.text.matchAll(/[\w$]+/g)].filter(([word]) => word === name).length === 1;
}

function withoutLine({ text }: SourceFile, { start, end }: Syntax): Edit {
  const behind = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0] ?? '';
  return { start, end: end + behind.length, text: '' };
}
