import { type OptionRow, wordsOf } from '../../packages/core/src/options/option-row.js';
import type { Table } from './table.js';

/** What the function throws for a value of an option. Undefined: it takes it. */
export function errorOf({ right, rightFor, make }: Table, option: string, value: unknown): Promise<unknown> {
  return thrownBy(() => make({ ...right, ...rightFor?.[option], [option]: value } as never));
}

/** What a function throws, or a promise that it returns. */
export async function thrownBy(act: () => unknown): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** True for an error of the row: its code, the option, and the rule or what to write in its place. */
export function isOf(error: unknown, option: string, row: OptionRow, value: unknown): boolean {
  const { name, code, option: named, message = '' } = Object(error) as Partial<Record<string, string>>;
  if (name !== 'ConfigError' || code !== (row.code ?? 'OPTION_INVALID')) return false;
  if (named !== option && named?.endsWith(`.${option}`) !== true) return false;
  const words = (row.milliseconds ?? row.microseconds) ? 'must be a duration from ' : `must be ${wordsOf(row, option)}`;
  const answer = typeof row.is === 'function' ? row.is(value) : false;
  if (typeof answer === 'string') return message.includes(`${option} ${answer}`);
  const rules = [words, 'must be a number, not ', ...Object.values(row.instead ?? {})];
  return rules.some((rule) => message.includes(`${option} ${rule}`)) && message.includes(', got ');
}
