import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import pc from 'picocolors';

export interface TerminalOptions {
  /** Documents instead of text on stdout. @default false */
  readonly json?: boolean | undefined;
  /** False with `--no-color`. @default as the environment and the TTY say */
  readonly color?: boolean | undefined;
  /** No notes and no progress. @default false */
  readonly quiet?: boolean | undefined;
}

const DEFAULT_WIDTH = 100;

/** Data goes to stdout; notes, progress and questions go to stderr. */
export class Terminal {
  readonly isJson: boolean;
  readonly colors: ReturnType<typeof pc.createColors>;
  /** Columns of stdout. */
  readonly width: number;
  readonly #isQuiet: boolean;
  #progress = '';

  constructor({ json = false, color, quiet = false }: TerminalOptions) {
    this.isJson = json;
    this.colors = pc.createColors(color !== false && !json && hasColors());
    this.width = process.stdout.columns ?? DEFAULT_WIDTH;
    this.#isQuiet = quiet;
  }

  /** A line of data. */
  print(line: string): void {
    this.#clearProgress();
    process.stdout.write(`${line}\n`);
  }

  /** The document of `--json`, or a line of a stream of them. */
  document(content: object): void {
    this.print(JSON.stringify({ v: 1, ...content }));
  }

  /** A line beside the data. Not with `--quiet`. */
  note(line: string): void {
    if (this.#isQuiet) return;
    this.#clearProgress();
    process.stderr.write(`${line}\n`);
  }

  /** The line why a command fails. */
  fail(line: string): void {
    this.#clearProgress();
    process.stderr.write(`${pc.createColors(this.colors.isColorSupported).red('error:')} ${line}\n`);
  }

  /** How far long work has come. It replaces the line before, and only people see it. */
  progress(line: string): void {
    if (this.#isQuiet || !process.stderr.isTTY) return;
    this.#clearProgress();
    this.#progress = line.slice(0, (process.stderr.columns ?? DEFAULT_WIDTH) - 1);
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
      const answer = await Promise.race([lines.question(`${question} [y/N] `).catch(() => ''), ended]);
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      lines.close();
    }
  }

  #clearProgress(): void {
    if (this.#progress === '') return;
    process.stderr.write('\r\u001b[2K');
    this.#progress = '';
  }
}

/** Of stdout. picocolors would also take a colour terminal of stdin for one. */
function hasColors(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return process.stdout.isTTY && TERM !== 'dumb';
}
