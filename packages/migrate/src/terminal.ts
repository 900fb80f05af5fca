import pc from 'picocolors';

export interface TerminalOptions {
  /** Documents instead of text on stdout. @default false */
  readonly json?: boolean | undefined;
  /** False with `--no-color`. @default as the environment and the TTY say */
  readonly color?: boolean | undefined;
  /** No notes. @default false */
  readonly quiet?: boolean | undefined;
}

/** How a part of a line is shown where there are colors. */
export type Style = 'bold' | 'dim' | 'green' | 'red';

/** A part of a line. */
export type Part = string | { readonly style: Style; readonly text: string };

/** Control characters of C0 and C1, and invisible ones of Unicode, such as those that turn the direction of a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Data goes to stdout, and notes go to stderr. No other module writes to them, because others may have written the programs
 * that this command quotes: each part is escaped here, and only this class adds colors and line feeds.
 */
export class Terminal {
  readonly isJson: boolean;
  readonly #colors: ReturnType<typeof pc.createColors>;
  readonly #isQuiet: boolean;

  constructor({ json = false, color, quiet = false }: TerminalOptions = {}) {
    this.isJson = json;
    this.#colors = pc.createColors(color !== false && !json && hasColors());
    this.#isQuiet = quiet;
  }

  /** A line of data. */
  print(...parts: readonly Part[]): void {
    process.stdout.write(`${this.#line(parts)}\n`);
  }

  /** A line of a program, with its tabs. */
  printSource(line: string, style?: Style): void {
    const parts = line.replace(/\r$/, '').split('\t');
    const texts = parts.map((text) => this.#line([style ? { style, text } : text]));
    process.stdout.write(`${texts.join('\t')}\n`);
  }

  /** The document of `--json`. */
  document(content: object): void {
    const text = JSON.stringify({ v: 1, ...content });
    process.stdout.write(`${text.replaceAll(UNPRINTABLE, unitsOf)}\n`);
  }

  /** A line beside the data. Not with `--quiet`. */
  note(line: string): void {
    if (!this.#isQuiet) process.stderr.write(`${printable(line)}\n`);
  }

  /** Why the command fails. @param more lines below it */
  fail(reason: string, more: readonly string[] = []): void {
    const lines = [this.#line([{ style: 'red', text: 'error:' }, ` ${reason}`]), ...more.map(printable)];
    process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** What the parser of the command line says, such as a help. The text has lines. */
  say(text: string, to: 'stdout' | 'stderr'): void {
    process[to].write(text.split('\n').map(printable).join('\n'));
  }

  #line(parts: readonly Part[]): string {
    return parts
      .map((part) => (typeof part === 'string' ? printable(part) : this.#colors[part.style](printable(part.text))))
      .join('');
  }
}

/** One line of text, with escapes such as `\u{1b}` for what is not printed. */
function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`);
}

/** The escapes of JSON, which names UTF-16 units. */
function unitsOf(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Of stdout. Never undefined: picocolors would then decide, and finds colors in a pipe where `CI` is set. */
function hasColors(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return process.stdout.isTTY ? TERM !== 'dumb' : false;
}
