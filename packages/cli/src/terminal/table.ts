import Table from 'cli-table3';

export interface Column {
  readonly title: string;
  /** @default left */
  readonly align?: 'left' | 'right' | undefined;
}

const BORDERS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
];
const NO_BORDERS = { ...Object.fromEntries(BORDERS.map((name) => [name, ''])), middle: '  ' };

/** Columns of printable text without borders, two spaces apart, and no spaces at the ends of lines. */
export function drawTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align = 'left' }) => align),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  drawn.push(...rows.map((row) => [...row]));
  // A pattern for the blanks at the ends is quadratic in blanks inside a line.
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
