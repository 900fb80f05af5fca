/** Characters of a line that are shown. */
const SHOWN = 80;

/** A line that is no request of the format. */
export interface OtherLine {
  /** `access.log:17` */
  readonly at: string;
  /** Its beginning. */
  readonly text: string;
}

/** @param path `-` for stdin */
export function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}

/** The beginning of a line, without queries of URLs, which may have secrets. */
export function shownText(bytes: Buffer): string {
  const text = bytes
    .toString('utf8', 0, 4 * SHOWN)
    .trim()
    .replaceAll(/\?\S+/g, '?…');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
