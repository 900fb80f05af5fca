import { openPrefix } from './line-envelope.js';

/** Characters of a line that are shown. */
const SHOWN = 100;

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

/** The beginning of a line behind its prefix, without queries of URLs, which may have secrets. */
export function shownText(bytes: Buffer): string {
  const line = { bytes, start: 0, end: bytes.length };
  openPrefix(line);
  const text = bytes.toString('utf8', line.start, Math.min(line.end, line.start + 4 * SHOWN));
  const safe = text.trim().replaceAll(/\?\S+/g, '?…');
  return safe.length > SHOWN ? `${safe.slice(0, SHOWN)}…` : safe;
}
