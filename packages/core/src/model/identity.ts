/** Whose budget is spent. Only a digest of it leaves the limiter. */
export interface Identity {
  /** What it is: `ip`, `api-key`, `jwt-subject`. Identities of different kinds never share a budget. */
  readonly kind: string;
  /** What it is made of; parts are told apart, so `['a', 'bc']` is not `['ab', 'c']`. */
  readonly parts: readonly string[];
}

/** What a `key` function returns: text, or an identity with a kind of its own. */
export type Key = string | Identity;

/** Text that is the same only for equal identities: every part is preceded by its length. */
export function identityText(key: Key): string {
  if (typeof key === 'string') return `3:key${key.length}:${key}`;
  let text = `${key.kind.length}:${key.kind}`;
  for (const part of key.parts) text += `${part.length}:${part}`;
  return text;
}

/** True for text or an identity with something in it. */
export function isKey(value: unknown): value is Key {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return false;
  const { kind, parts } = value as Partial<Identity>;
  return typeof kind === 'string' && kind !== '' && Array.isArray(parts) && parts.length > 0 && parts.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
