import { hash } from 'node:crypto';

const MAX_LENGTH = 64;
const DIGEST_LENGTH = 11;

/**
 * The name of a tier for a route: `GET /items/:id`. Characters that a name cannot have are percent-encoded. A long name
 * ends in a hash of the whole.
 *
 * @param method several are joined by commas
 * @param pattern the path as the router of the framework writes it
 */
export function routeName(method: string, pattern: string): string {
  const name = encode(`${method} ${pattern}`);
  if (name.length <= MAX_LENGTH) return name;
  const digest = hash('sha256', name, 'base64url').slice(0, DIGEST_LENGTH);
  const start = name.slice(0, MAX_LENGTH - DIGEST_LENGTH - 1);
  // An encoded character is not cut in half.
  return `${start.replace(/%[\dA-F]?$/, '')}~${digest}`;
}

function encode(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+|[{}"\\%]/g, (part) =>
    [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
