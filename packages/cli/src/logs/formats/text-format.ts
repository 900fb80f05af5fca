import { usage } from '../../failure/failure.js';

/** The columns of a line, and the text before, between and behind them. */
export interface TextFormat {
  readonly names: readonly string[];
  /** One more than names. */
  readonly separators: readonly string[];
}

/**
 * Compiles a `log_format` of nginx.
 *
 * @throws Failure for a format without columns, or with two that nothing separates
 */
export function parseTextFormat(text: string): TextFormat {
  const parts = text.split(/\$(?:\{(\w+)\}|(\w+))/);
  const names: string[] = [];
  const separators: string[] = [parts[0]!];
  for (let index = 1; index < parts.length; index += 3) {
    names.push((parts[index] ?? parts[index + 1])!);
    separators.push(parts[index + 2]!);
  }
  if (names.length === 0) throw usage(`--format ${text}: this is no known format, and no log_format of nginx`);
  const joined = separators.slice(1, -1).indexOf('');
  if (joined !== -1) throw usage(`--format: nothing separates $${names[joined]} and $${names[joined + 1]}`);
  return { names, separators };
}

/** Columns between tabs or spaces. */
export function separatedBy(separator: string, names: readonly string[]): TextFormat {
  return { names, separators: ['', ...names.slice(1).map(() => separator), ''] };
}
