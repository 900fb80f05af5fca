import type { GateResponse } from '../request/response.js';

const EXPOSE_HEADERS = 'access-control-expose-headers';

/** Lets scripts of another origin read these headers too. */
export function exposeHeaders(response: Pick<GateResponse, 'getHeader' | 'setHeader'>, names: readonly string[]): void {
  const exposed = String(response.getHeader(EXPOSE_HEADERS) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = exposed.map((name) => name.toLowerCase());
  // With credentials an asterisk is the name of one header.
  if (known.includes('*') && response.getHeader('access-control-allow-credentials') !== 'true') return;
  const added = names.filter((name) => !known.includes(name.toLowerCase()));
  if (added.length > 0) response.setHeader(EXPOSE_HEADERS, [...exposed, ...added].join(', '));
}
