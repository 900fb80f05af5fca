import type { ErrorCode } from '../../packages/core/src/model/errors.js';

/** A ConfigError about an option, with these words in its message. */
export function configError(code: ErrorCode, option: string, words = ''): Error {
  const message = expect.stringContaining(words) as string;
  return expect.objectContaining({ name: 'ConfigError', code, option, message }) as Error;
}
