/** A table with aligned columns, as the formatter writes it. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [first, ...others] = all;
  return [line(first!), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)].join('\n');
}

/** A page with another table in the place of the first one behind a heading. */
export function withTable(text: string, heading: string, table: string): string {
  const at = text.indexOf(`${heading}\n`);
  if (at < 0) throw new Error(`the page has no heading "${heading}"`);
  const [old = ''] = /^\|.*\|$(\n\|.*\|$)*/m.exec(text.slice(at)) ?? [];
  return text.slice(0, at) + text.slice(at).replace(old, () => table);
}
