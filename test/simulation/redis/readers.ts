import { Hash, type Keyspace, type SortedSet, type Value } from './keyspace.js';
import { ErrorReply } from './reply.js';

const WRONG_TYPE = new ErrorReply('WRONGTYPE Operation against a key holding the wrong kind of value');
const NO_INTEGER = new ErrorReply('ERR value is not an integer or out of range');
const INTEGER = /^(0|-?[1-9]\d{0,18})$/;
const LARGEST = 2n ** 63n;

/** Throws a reply that ends its command. */
export function fail(reply: ErrorReply): never {
  throw reply;
}

export function text(keyspace: Keyspace, key: string): string | undefined {
  const value = keyspace.get(key);
  return value === undefined || typeof value === 'string' ? value : fail(WRONG_TYPE);
}

export function list(keyspace: Keyspace, key: string): string[] | undefined {
  const value = keyspace.get(key);
  return value === undefined || Array.isArray(value) ? value : fail(WRONG_TYPE);
}

export function sorted(keyspace: Keyspace, key: string): SortedSet | undefined {
  const value = keyspace.get(key);
  return value === undefined || (value instanceof Map && !(value instanceof Hash)) ? value : fail(WRONG_TYPE);
}

export function hash(keyspace: Keyspace, key: string): Hash | undefined {
  const value = keyspace.get(key);
  return value === undefined || value instanceof Hash ? value : fail(WRONG_TYPE);
}

/** A key without members does not exist. */
export function settle(keyspace: Keyspace, key: string, value: Exclude<Value, string>): void {
  if ((Array.isArray(value) ? value.length : value.size) === 0) keyspace.delete(key);
  else keyspace.set(key, value);
}

export function integer(value: string): number {
  return INTEGER.test(value) ? Number(value) : fail(NO_INTEGER);
}

/** The sum of two integers that are texts. @param sign of the second */
export function added(stored: string, by: string, sign: 1n | -1n): bigint {
  if (!INTEGER.test(stored) || !INTEGER.test(by)) return fail(NO_INTEGER);
  const sum = BigInt(stored) + sign * BigInt(by);
  if (sum >= LARGEST || sum < -LARGEST) return fail(new ErrorReply('ERR increment or decrement would overflow'));
  return sum;
}
