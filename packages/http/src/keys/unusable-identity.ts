import { kindOf, warn } from '@sluice/core/internal';

/** Clients choose such values. An empty or a long string is no mistake of the application. */
const TEXT_TYPES: readonly string[] = ['string', 'number', 'bigint'];

/**
 * Warns of an identity that an application has and that no key can be made of, such as an ObjectId: `otherwise` would
 * limit its clients in silence. A client without an identity gives no warning.
 *
 * @param owner the first words of the warning: `by('user')`
 */
export function warnOfUnusable(owner: string, value: unknown): void {
  // `isSignedIn && id` is false for an anonymous request.
  if (value === undefined || value === null || value === false) return;
  if (TEXT_TYPES.includes(typeof value)) return;
  // The name of a function is its content.
  const kind = typeof value === 'function' ? 'a function' : kindOf(value);
  warn(
    'SLUICE_IDENTITY_UNUSABLE',
    `${owner}: the identity is ${kind}, so that otherwise identifies the client: convert it to text, such as String(id)`,
  );
}
