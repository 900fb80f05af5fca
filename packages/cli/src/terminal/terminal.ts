// terminal/ writes to a terminal: tables, colours, figures, questions. Values of any command enter, and lines leave. It
// imports failure.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import pc from 'picocolors';
import { printable, printableJson } from './printable.js';
import type { Part } from './styled.js';
import { drawTable, type Column } from './table.js';

export interface TerminalOptions {
  /** Documents instead of text on stdout. @default false */
  readonly json?: boolean | undefined;
  /** False with `--no-color`. @default as the environment and the TTY say */
  readonly color?: boolean | undefined;
  /** No notes and no progress. @default false */
  readonly quiet?: boolean | undefined;
}

const DEFAULT_WIDTH = 100;

/**
 * Data goes to stdout; notes, progress and questions go to stderr. No other module writes to them, because keys, digests
 * and messages of servers are chosen by others: each part is escaped here, and only this class adds colors and line feeds.
 */
export class Terminal {
  readonly isJson: boolean;
  readonly #colors: ReturnType<typeof pc.createColors>;
  readonly #isQuiet: boolean;
  #progress = '';

  constructor({ json = false, color, quiet = false }: TerminalOptions = {}) {
    this.isJson = json;
    this.#colors = pc.createColors(color !== false && !json && hasColors());
    this.#isQuiet = quiet;
  }

  /** A line of data. */
  print(...parts: readonly Part[]): void {
    this.#writeData(this.#line(parts));
  }

  /** Lines of data in columns. */
  printTable(columns: readonly Column[], rows: readonly (readonly Part[])[]): void {
    const cells = rows.map((row) => row.map((cell) => this.#line([cell])));
    const titles = columns.map(({ title, align }) => ({ title: printable(title), align }));
    this.#writeData(drawTable(titles, cells));
  }

  /** The document of `--json`, or a line of a stream of them. */
  document(content: object): void {
    this.#writeData(printableJson({ v: 1, ...content }));
  }

  /** A line beside the data. Not with `--quiet`. */
  note(line: string): void {
    if (!this.#isQuiet) this.#writeAside(printable(line));
  }

  /** Why a command fails. @param more lines below it, such as an example */
  fail(reason: string, more: readonly string[] = []): void {
    this.#writeAside(this.#line([{ style: 'red', text: 'error:' }, ` ${reason}`]));
    for (const line of more) this.#writeAside(printable(line));
  }

  /** What the parser of the command line says, such as a help. The text has lines. */
  say(text: string, to: 'stdout' | 'stderr'): void {
    const lines = text.split('\n').map(printable).join('\n');
    process[to].write(lines);
  }

  /** How far long work has come. It replaces the line before, and only people see it. */
  progress(line: string): void {
    if (this.#isQuiet || !process.stderr.isTTY) return;
    this.#clearProgress();
    this.#progress = printable(line).slice(0, (process.stderr.columns ?? DEFAULT_WIDTH) - 1);
    process.stderr.write(this.#progress);
  }

  /** The answer to a yes-or-no question; undefined without a terminal. */
  async ask(question: string): Promise<boolean | undefined> {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
    this.#clearProgress();
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // In a line of input the terminal sends no signal.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const ended = once(lines, 'close').then(() => '');
    try {
      // The end of the input, Ctrl-D, is no answer. Newer versions of Node reject.
      const answer = await Promise.race([lines.question(`${printable(question)} [y/N] `).catch(() => ''), ended]);
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      lines.close();
    }
  }

  #line(parts: readonly Part[]): string {
    return parts
      .map((part) => (typeof part === 'string' ? printable(part) : this.#colors[part.style](printable(part.text))))
      .join('');
  }

  #writeData(line: string): void {
    this.#clearProgress();
    process.stdout.write(`${line}\n`);
  }

  #writeAside(line: string): void {
    this.#clearProgress();
    process.stderr.write(`${line}\n`);
  }

  #clearProgress(): void {
    if (this.#progress === '') return;
    process.stderr.write('\r\u001b[2K');
    this.#progress = '';
  }
}

/** Of stdout. Never undefined: picocolors would then decide, and finds colors in a pipe where `CI` is set. */
function hasColors(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return process.stdout.isTTY ? TERM !== 'dumb' : false;
}
