import { printable } from '../terminal/printable.js';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element of SVG or HTML. @param children markup, so that text must be escaped */
export function tag(name: string, attributes: Attributes = {}, ...children: readonly string[]): string {
  const texts = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escapeText(typeof value === 'number' ? String(rounded(value)) : value)}"`,
  );
  return `<${name}${texts.join('')}>${children.join('')}</${name}>`;
}

/** Text that browsers show as it is: clients choose some of it. */
export function escapeText(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** To a tenth of a pixel. */
export function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}

/** A string in a picture. */
export function label(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return tag('text', { x, y, ...attributes }, escapeText(text));
}
