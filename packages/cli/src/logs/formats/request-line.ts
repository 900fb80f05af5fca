import { isAt, type Span } from '../lines/span.js';

const SPACE = 32;
const SLASH = 47;
const QUERY = 63;

/** Method and URL of a request line. Clients also send lines without them. */
export function requestOf(line: string): readonly [method: string, url: string] {
  const space = line.indexOf(' ');
  if (space === -1) return ['', line];
  const end = line.indexOf(' ', space + 1);
  return [line.slice(0, space), line.slice(space + 1, end === -1 ? undefined : end)];
}

/** The path of a URL, without its query. Balancers and proxies log the scheme and the host, too. */
export function pathOf(url: string): string {
  let start = 0;
  if (!url.startsWith('/')) {
    const host = url.indexOf('://');
    if (host !== -1) start = url.indexOf('/', host + 3);
    if (start === -1) return '/';
  }
  const query = url.indexOf('?', start);
  return query === -1 && start === 0 ? url : url.slice(start, query === -1 ? undefined : query);
}

/** Most requests have one of them, which need not be decoded. */
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].map((name) => ({
  name,
  bytes: Buffer.from(`${name} `),
}));

/** The method of a request line. */
export function methodIn({ bytes, start, end }: Span): string {
  for (const method of METHODS) if (isAt(bytes, method.bytes, start, end)) return method.name;
  return requestOf(bytes.toString('utf8', start, end))[0];
}

/** Narrows the span of a request line to that of its path. False for a whole URL, and for a line that is no request. */
export function narrowToPath(span: Span): boolean {
  const { bytes, end: last } = span;
  let { start } = span;
  while (start < last && bytes[start] !== SPACE) start += 1;
  start += 1;
  if (start >= last || bytes[start] !== SLASH) return false;
  let end = start;
  while (end < last && bytes[end] !== SPACE && bytes[end] !== QUERY) end += 1;
  span.start = start;
  span.end = end;
  return true;
}
