import { UsageError } from '../../model/errors.js';
import { kindOf } from '../../options/option-reader.js';

/** True for the results that `skip` and `refundWhen` may have. Other truthy values are mistakes, such as 'false'. */
export function isFlag(result: unknown): result is boolean | null | undefined {
  return result === true || result === false || result === undefined || result === null;
}

/** The error for a result that is no flag. */
export function invalidFlag(owner: string, name: 'skip' | 'refundWhen', result: unknown): UsageError {
  const message = `${owner}: the function ${name} must return true or false, got ${kindOf(result)}`;
  return new UsageError('FUNCTION_FAILED', message);
}
