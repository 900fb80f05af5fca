import { kindOf, UsageError } from '@sluice/core/internal';

/** The error for a truthy result that is not `true`, such as the string 'false': it would switch a limit off. */
export function invalidFlag(owner: string, name: 'skip' | 'refundWhen' | 'challenged', result: unknown): UsageError {
  const message = `${owner}: the function ${name} must return true or false, got ${kindOf(result)}`;
  return new UsageError('FUNCTION_FAILED', message);
}
