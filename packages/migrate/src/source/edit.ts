/** A part of a program that becomes another text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Our function that the text calls, which has another name where theirs of that name stays. */
  readonly ours?: string;
  /** True for a text that takes the comments in its place along. */
  readonly isWithComments?: boolean;
}

/** A part of a text, with the edits that lie in it. They do not overlap. */
export function edited(text: string, edits: readonly Edit[], start = 0, end = text.length): string {
  let at = start;
  let result = '';
  for (const edit of edits.filter((each) => start <= each.start && each.end <= end).toSorted(inOrder)) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at, end);
}

/** By place; insertions first, and then the longer, because it has replaced what is in it. */
function inOrder(one: Edit, other: Edit): number {
  const isInsertion = (edit: Edit) => Number(edit.start === edit.end);
  return one.start - other.start || isInsertion(other) - isInsertion(one) || other.end - one.end;
}
