import { UsageError } from '../../model/errors.js';
import { kindOf } from '../../options/show.js';

/** An error message may quote the results of these functions: all others may return an identity. */
const QUOTABLE: ReadonlySet<string> = new Set(['limit', 'cost', 'fair.weight']);

/** The error for a function that returned nonsense. */
export function invalidResult(owner: string, name: string, rule: string, value: unknown): UsageError {
  const shown = typeof value === 'number' && QUOTABLE.has(name) ? String(value) : kindOf(value);
  return new UsageError('FUNCTION_FAILED', `${owner}: the function ${name} must return ${rule}, got ${shown}`);
}
