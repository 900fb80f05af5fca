import { hasCredentials } from '../model/errors.js';

/** A value as a message shows it: short, without credentials, and without calling its methods. */
export function show(value: unknown): string {
  if (typeof value === 'string' && hasCredentials(value)) return 'a URL with credentials';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'function') return `the function ${value.name || '(anonymous)'}`;
  if (typeof value === 'bigint') return `the bigint ${value}n`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** The type of a value in words, without its content: any value may identify a client. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'empty text';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' || typeof value === 'function' ? show(value) : `a ${typeof value}`;
}

/** A word that programs choose for a kind of error, and clients do not: `PrismaError`, `ECONNREFUSED`. */
const WORD = /^[a-z]\w{0,63}$/i;

/**
 * What an error of an application is, without its message, which may quote an identity. So may the name of a property that is no
 * identifier, as in `plans[email]`.
 */
export function kindOfError(error: unknown): string {
  const { name, code } = Object(error) as { readonly name?: unknown; readonly code?: unknown };
  const kind = error instanceof Error && WORD.test(String(name)) ? String(name) : kindOf(error);
  const isShown = typeof code === 'number' || (typeof code === 'string' && WORD.test(code));
  return isShown ? `${kind} ${code}` : kind;
}
