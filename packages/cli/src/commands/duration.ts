import { InvalidArgumentError } from 'commander';
import { parseTime } from '../invocation/time.js';

/** Parses a duration of an option. @throws InvalidArgumentError */
export function duration(text: string): number {
  const value = parseTime(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError('Write a duration such as 500ms, 5s or 2m.');
}
