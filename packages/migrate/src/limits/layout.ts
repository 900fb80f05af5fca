import type { Edit } from '../source/edit.js';
import type { Comment, SourceFile } from '../source/source-file.js';

/** The edits of limits and of imports, so that comments and the ends of lines stay. */
export function keepLayout(file: SourceFile, edits: readonly Edit[], imports: readonly Edit[]): Edit[] {
  const isWindows = /\r\n/.test(file.text);
  const all = [...edits.map((edit) => withComments(file, edit, edits)), ...imports];
  return isWindows ? all.map((edit) => ({ ...edit, text: edit.text.replaceAll(/\r?\n/g, '\r\n') })) : all;
}

/** The text of an edit, behind the comments that stood in what it replaces. */
function withComments(file: SourceFile, edit: Edit, edits: readonly Edit[]): Edit {
  // An option that is dropped takes its comment along.
  if (edit.text === '') return edit;
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

/** The comments in a part of a program that its new text does not have. */
export function lostComments(
  { comments }: SourceFile,
  part: { readonly start: number; readonly end: number },
  text: string,
): Comment[] {
  return comments.filter(
    ({ start, end, value }) => part.start < start && end < part.end && !text.includes(value.trim()),
  );
}

/** A comment that may stand before anything. */
function blockOf({ value }: Comment): string {
  const lines = value.trim();
  return `/* ${lines.replaceAll('*/', '* /')} */`;
}
