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
