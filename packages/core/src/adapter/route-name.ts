import { hash } from 'node:crypto';

const LONGEST = 64;

/**
 * A tier's name for a route, as the framework's router writes it: `GET /items/:id`. What a name cannot have is
 * percent-encoded; what is too long ends in a hash of the whole.
 *
 * @param method several are joined by commas
 */
export function routeName(method: string, pattern: string): string {
  const name = encode(`${method} ${pattern}`);
  if (name.length <= LONGEST) return name;
  const digest = hash('sha256', name, 'base64url').slice(0, 11);
  // Not in the middle of what is encoded.
  return `${name.slice(0, LONGEST - 12).replace(/%[\dA-F]?$/, '')}~${digest}`;
}

function encode(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+|[{}"\\%]/g, (part) =>
    [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
