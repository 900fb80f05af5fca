import type { ServerResponse } from 'node:http';

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/**
 * Replaces what helmet has set: its `upgrade-insecure-requests` breaks a page over plain HTTP. Removes what `cors()` has
 * set: no other site may read an answer.
 */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) if (name.startsWith('access-control-')) response.removeHeader(name);
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}
