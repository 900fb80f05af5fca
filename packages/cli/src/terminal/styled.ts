/** How a part of a line is shown where there are colors. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** A part of a line with a style. The terminal escapes and paints it. */
export interface Styled {
  readonly style: Style;
  readonly text: string;
}

/** A part of a line. */
export type Part = string | Styled;

const styledAs =
  (style: Style) =>
  (text: string): Styled => ({ style, text });

export const bold = styledAs('bold');
export const dim = styledAs('dim');
export const green = styledAs('green');
export const red = styledAs('red');
export const yellow = styledAs('yellow');
