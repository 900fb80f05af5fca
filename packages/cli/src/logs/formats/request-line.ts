import type { TextLine } from './text-line.js';

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

/** The path of the request line in a column. Found in its bytes, as it is needed for each request. */
export function pathIn(line: TextLine, column: number): string {
  const { bytes, starts, ends } = line;
  const last = ends[column]!;
  let start = starts[column]!;
  while (start < last && bytes[start] !== SPACE) start += 1;
  start += 1;
  // The whole URL, or a line that is no request.
  if (start >= last || bytes[start] !== SLASH) return pathOf(requestOf(line.text(column))[1]);
  let end = start;
  while (end < last && bytes[end] !== SPACE && bytes[end] !== QUERY) end += 1;
  return bytes.toString('utf8', start, end);
}
