import { isNativeError } from 'node:util/types';
import { StoreError, type ErrorCode } from '../../../model/errors.js';

/** How ioredis says that it does not send again what it was told not to. */
const RESENDING = /^Reached the max retries per request limit .*/s;

/** Says in our words what a client reports. */
export function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const plain = redactCommand(cause);
  const { message } = plain;
  if (message.startsWith('WRONGTYPE')) return unreadable(message);
  const code: ErrorCode = message.includes('SLUICE_UNSUPPORTED') ? 'STORE_UNSUPPORTED' : 'STORE_UNAVAILABLE';
  return new StoreError(code, `Redis could not answer: ${message}`, { cause: plain });
}

/** The error of a key that holds what is not ours. The others of its call are not touched by it. */
export function unreadable(problem: string): StoreError {
  return new StoreError('STORE_KEY_UNREADABLE', `a key of this request holds what is no state of its tier: ${problem}`);
}

/**
 * The error of a client without the command that it carries along: keys, recorded texts and the password of AUTH would be
 * printed with it.
 */
export function redactCommand(cause: unknown): Error {
  // Errors of the system come from another realm where modules run in a context of their own.
  if (!isNativeError(cause)) return new Error(String(cause));
  // A server that does not know a command quotes its arguments, and keys do not belong into logs.
  const message = cause.message
    .replace(/, with args beginning with:.*/s, '')
    .replace(RESENDING, 'the connection was lost');
  const plain = new Error(message, cause.cause ? { cause: redactCommand(cause.cause) } : undefined);
  plain.name = cause.name;
  const { code } = cause as NodeJS.ErrnoException;
  return code === undefined ? plain : Object.assign(plain, { code });
}
