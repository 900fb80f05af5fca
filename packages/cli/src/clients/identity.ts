import { text as textOf } from 'node:stream/consumers';
import type { Key } from '@sluice/core';
import { typedIdentity } from '@sluice/core/operations';

/** A client as it was typed. */
export interface TypedIdentity {
  /** For messages. A secret is not repeated. */
  readonly name: string;
  readonly key: Key;
}

/**
 * The identity that the key functions of core return for a client.
 *
 * @param args kind and values; a value of `-` is a line of stdin, because other users see the command line
 * @throws UsageError for values that are no identity of the kind
 */
export async function readIdentity([kind = '', ...typed]: readonly string[]): Promise<TypedIdentity> {
  const values = typed.includes('-') ? await withLine(typed) : typed;
  const isSecret = kind === 'api-key' || typed.includes('-');
  const name = isSecret ? `this ${kind}` : `${kind} ${values.join(' ')}`;
  return { name, key: typedIdentity(kind, values, isSecret) };
}

/** Reads the value that is not in the command line. */
async function withLine(typed: readonly string[]): Promise<readonly string[]> {
  const [line = ''] = (await textOf(process.stdin)).split('\n');
  return typed.map((value) => (value === '-' ? line.trim() : value));
}
