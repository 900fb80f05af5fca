import { UsageError } from '../../model/errors.js';
import { kindOf } from '../../options/option-reader.js';

/** The error for a truthy result that is not `true`, such as the string 'false': it would switch a limit off. */
export function invalidFlag(owner: string, name: 'skip' | 'refundWhen' | 'challenged', result: unknown): UsageError {
  const message = `${owner}: the function ${name} must return true or false, got ${kindOf(result)}`;
  return new UsageError('FUNCTION_FAILED', message);
}
