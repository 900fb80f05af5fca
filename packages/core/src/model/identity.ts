/** What a budget belongs to: a client, an account, an API key. Only a digest of it leaves the limiter. */
export interface Identity {
  /** `ip`, `api-key`, `jwt-subject`. Identities of different kinds never share a budget. */
  readonly kind: string;
  /** The values of the identity. Their boundaries count: `['a', 'bc']` is not `['ab', 'c']`. */
  readonly parts: readonly string[];
}

/** What a `key` function returns: a text, or an identity with a kind of its own. */
export type Key = string | Identity;

/** A text that only equal identities share, because the length of each part precedes it. */
export function identityText(key: Key): string {
  if (typeof key === 'string') return `3:key${key.length}:${key}`;
  let text = `${key.kind.length}:${key.kind}`;
  for (const part of key.parts) text += `${part.length}:${part}`;
  return text;
}

/** True for a non-empty text, and for an identity with a kind and at least one part. */
export function isKey(value: unknown): value is Key {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return false;
  const { kind, parts } = value as Partial<Identity>;
  return typeof kind === 'string' && kind !== '' && Array.isArray(parts) && parts.length > 0 && parts.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
