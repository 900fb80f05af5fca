import type { Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import { propertiesOf } from '../source/spread.js';
import { nameOf, type Syntax } from '../source/syntax.js';
import { lostComments, objectText } from './layout.js';
import type { LimitDraft, Row } from './limit-draft.js';

/** The edits that turn an object of options into ours, line by line, so that comments and order stay. */
export function optionEdits(draft: LimitDraft, table: readonly Row[], object: Syntax): Edit[] {
  const { file, outputs } = draft;
  const properties = propertiesOf(file, object);
  const written = (row: Row): string[] => outputs.filter((each) => each.row === row).map(propertyText);
  const rowOf = (property: Syntax): Row => table.find(({ options }) => options.includes(nameOf(property)!))!;
  const firsts = new Map<Row, Syntax>();
  for (const { property, options } of properties) {
    for (const row of options.map(rowOf)) if (!firsts.has(row)) firsts.set(row, property);
  }
  const added = table.filter((row) => !firsts.has(row)).flatMap(written);

  // The compiler would widen the name of the algorithm to any text.
  const isApart = file.isTypeScript && file.parentOf(object)?.type === 'VariableDeclarator';
  const constant = isApart ? [{ start: object.end, end: object.end, text: ' as const' }] : [];
  const inner = file.text.slice(object.start + 1, object.end - 1);
  if (!inner.includes('\n') && !/\/[/*]/.test(inner)) {
    const own = properties.flatMap(({ property, shared }) =>
      shared
        ? [file.textOf(property)]
        : [...firsts].filter(([, first]) => first === property).flatMap(([row]) => written(row)),
    );
    return [
      { start: object.start, end: object.end, text: objectText(file, object.start, [...own, ...added]) },
      ...constant,
    ];
  }
  const edits: Edit[] = [...constant];
  const indent = indentIn(file, object);
  const separator = `,\n${indent}`;
  // Before the first of our options, because a comment may stand behind it.
  let waiting = added;
  for (const { property, options, shared } of properties) {
    if (shared) continue;
    const rows = [...new Set(options.map(rowOf))];
    const texts = rows.filter((row) => firsts.get(row) === property).flatMap(written);
    if (texts.length === 0) edits.push(withoutProperty(file, property));
    else {
      const own = texts.join(separator);
      const comments = lostComments(file, property, own).map((each) => `${file.textOf(each)}\n${indent}`);
      const text = [...waiting, comments.join('') + own].join(separator);
      edits.push({ start: property.start, end: property.end, text });
      waiting = [];
    }
  }
  if (waiting.length > 0) {
    edits.push({ start: object.start + 1, end: object.start + 1, text: `\n${indent}${waiting.join(separator)},` });
  }
  return edits;
}

/** What stands before the first option that begins a line; else two spaces more than the line of the object. */
function indentIn({ text }: SourceFile, object: Syntax): string {
  for (const { start } of object.properties as Syntax[]) {
    const before = /\n([ \t]*)$/.exec(text.slice(object.start, start));
    if (before) return before[1]!;
  }
  return `${/(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, object.start))?.[1] ?? ''}  `;
}

/** The text of the argument of a call without one. */
export function optionsText({ outputs, file, call }: LimitDraft): string {
  return objectText(file, call.end - 1, outputs.map(propertyText));
}

export function propertyText({ name, text }: { readonly name: string; readonly text: string }): string {
  if (name === '...') return `...${text}`;
  return name === text ? name : `${name}: ${text}`;
}

/** Its line too, with a comment that stands behind it. */
function withoutProperty({ text }: SourceFile, property: Syntax): Edit {
  const comma = /^\s*,/.exec(text.slice(property.end))?.[0] ?? '';
  const end = property.end + comma.length;
  const before = /(^|\n)[ \t]*$/.exec(text.slice(0, property.start));
  const behind = /^[ \t]*(\/\/[^\n]*)?\r?\n/.exec(text.slice(end));
  if (before && behind) return { start: before.index + before[1]!.length, end: end + behind[0].length, text: '' };
  return { start: property.start, end: end + /^[ \t]*/.exec(text.slice(end))![0].length, text: '' };
}
