import { InvalidArgumentError } from 'commander';
import { parseTime } from '../invocation/time.js';

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Milliseconds since 1970 of a moment, or of so long ago. @throws InvalidArgumentError */
export function moment(text: string): number {
  const ago = parseTime(text);
  if (ago !== undefined) return Date.now() - ago;
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError(
    'Write a duration such as 7d, or a moment such as 2027-01-31 or 2027-01-31T12:00:00Z.',
  );
}
