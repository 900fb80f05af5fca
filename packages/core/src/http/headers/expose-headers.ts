import type { GateResponse } from '../response.js';

const NAME = 'Access-Control-Expose-Headers';

/** Lets scripts of another origin read headers, besides those that they may read already. */
export function expose(response: GateResponse, names: readonly string[]): void {
  const before = response.getHeader(NAME);
  const listed = String(before ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = listed.map((name) => name.toLowerCase());
  // With credentials an asterisk is a name, and not all of them.
  if (known.includes('*') && response.getHeader('Access-Control-Allow-Credentials') !== 'true') return;
  const added = names.filter((name) => !known.includes(name.toLowerCase()));
  if (added.length > 0) response.setHeader(NAME, [...listed, ...added].join(', '));
}
