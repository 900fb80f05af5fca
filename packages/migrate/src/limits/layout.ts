import type { Edit } from '../source/edit.js';
import type { Comment, SourceFile } from '../source/source-file.js';

/** Lines of a program may be this long. */
const WIDTH = 120;

/** An object of these properties in a line, or in a line for each where the program has no lines so long. @param at where it stands */
export function objectText({ text }: SourceFile, at: number, properties: readonly string[]): string {
  const line = `{ ${properties.join(', ')} }`;
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const longest = Math.max(WIDTH, ...text.split('\n').map((each) => each.length));
  if (!line.includes('\n') && (before.length + line.length < longest || properties.length < 2)) return line;
  const indent = /^[ \t]*/.exec(before)![0];
  const inner = `\n${indent}${indent.includes('\t') ? '\t' : '  '}`;
  return `{${properties.map((each) => `${inner}${each.replaceAll('\n', inner)},`).join('')}\n${indent}}`;
}

/** The edits of limits and of imports, so that comments and the ends of lines stay. */
export function keepLayout(file: SourceFile, edits: readonly Edit[], imports: readonly Edit[]): Edit[] {
  const isWindows = /\r\n/.test(file.text);
  const all = [...edits.map((edit) => withComments(file, edit, edits)), ...imports];
  return isWindows ? all.map((edit) => ({ ...edit, text: edit.text.replaceAll(/\r?\n/g, '\r\n') })) : all;
}

/** The text of an edit, behind the comments that stood in what it replaces. */
function withComments(file: SourceFile, edit: Edit, edits: readonly Edit[]): Edit {
  // What is dropped takes its comments along.
  if (edit.text === '' || edit.isWithComments) return edit;
  const isOuter = !edits.some(
    (other) =>
      other !== edit &&
      other.start <= edit.start &&
      edit.end <= other.end &&
      other.end - other.start > edit.end - edit.start,
  );
  if (!isOuter) return edit;
  const lost = lostComments(file, edit, edit.text);
  return lost.length === 0 ? edit : { ...edit, text: `${lost.map(blockOf).join(' ')} ${edit.text}` };
}

/** What a comment tells a tool of the next line, which is replaced: an unused one is an error of the compiler. */
const DIRECTIVE = /^\s*(@ts-|eslint-|oxlint-|biome-|tslint:|prettier-|istanbul |c8 )/;

/** The comments in a part of a program that its new text does not have. */
export function lostComments(
  { comments }: SourceFile,
  part: { readonly start: number; readonly end: number },
  text: string,
): Comment[] {
  return comments.filter(
    ({ start, end, value }) =>
      part.start < start && end < part.end && !text.includes(value.trim()) && !DIRECTIVE.test(value),
  );
}

/** A comment that may stand before anything. */
function blockOf({ value }: Comment): string {
  const lines = value.trim();
  return `/* ${lines.replaceAll('*/', '* /')} */`;
}
