// clients/ finds a client's keys by its identity, and reads the states of its tiers (tier-states.ts). A typed identity
// enters, and a document or a table of its tiers leaves. It imports keys, sources, terminal and failure.
import { text as textOf } from 'node:stream/consumers';
import type { Key } from '@sluice/core';
import { IdentityDigest, typedIdentity } from '@sluice/metrics/operations';
import { usage } from '../failure/failure.js';

/** A client as it was typed. */
export interface TypedIdentity {
  /** For messages. A secret is not repeated. */
  readonly name: string;
  /** Undefined for a digest. */
  readonly kind: string | undefined;
  /** A digest may be the beginning of one, as `top` and `tail` print it. */
  readonly key: Key | IdentityDigest;
}

const DIGEST = /^[\w-]{8,22}$/;

/**
 * The identity that the key functions of core return for a client.
 *
 * @param args kind and values; a value of `-` is a line of stdin, because other users see the command line
 * @throws UsageError for values that are no identity of the kind
 */
export async function readIdentity([kind = '', ...typed]: readonly string[]): Promise<TypedIdentity> {
  const values = typed.includes('-') ? await withLine(typed) : typed;
  if (kind === 'digest') return digestOf(values);
  const isSecret = kind === 'api-key' || typed.includes('-');
  const name = isSecret ? `this ${kind}` : `${kind} ${values.join(' ')}`;
  return { name, kind, key: typedIdentity(kind, values, isSecret) };
}

/** @throws Failure */
function digestOf([digest = '', ...more]: readonly string[]): TypedIdentity {
  if (more.length > 0 || !DIGEST.test(digest)) {
    throw usage('digest: write 8 to 22 characters of a digest, as sluice top and keys in Redis have it');
  }
  return { name: `digest ${digest}`, kind: undefined, key: new IdentityDigest(digest) };
}

/** Reads the value that is not in the command line. */
async function withLine(typed: readonly string[]): Promise<readonly string[]> {
  const [line = ''] = (await textOf(process.stdin)).split('\n');
  return typed.map((value) => (value === '-' ? line.trim() : value));
}
