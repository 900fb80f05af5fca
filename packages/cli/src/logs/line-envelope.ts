import type { Span } from './lines/span.js';

/** Finds the line of a program in what a container, syslog or an export made of it. A line without it stays as it is. */
export type OpenEnvelope = (line: Span) => void;

/** A longer prefix is none. */
const MAX_PREFIX = 256;

const TIME = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?:?`;
const PREFIXES = [
  // docker compose `web-1  | `, and pm2 `0|app  | `
  String.raw`(?:\d+\|)?[\w.@-]+ *\| `,
  // syslog by RFC 5424, as `<165>1 2026-11-20T08:00:00Z host app 12 - - `
  String.raw`<\d+>1 ${TIME} \S+ \S+ \S+ \S+ (?:-|\[[^\]]*\]) (?:\u00EF\u00BB\u00BF)?`,
  // syslog and journalctl `Nov 20 08:00:00 host app[12]: `, and Heroku `2026-11-20T08:00:00+00:00 app[web.1]: `
  String.raw`(?:<\d+>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|${TIME}) (?:[\w.:-]+ )?[\w./-]+(?:\[[\w.]+\])?: `,
  // Kubernetes `2026-11-20T08:00:00.123456789Z stdout F `, and docker logs --timestamps without its stream
  String.raw`${TIME} (?:std(?:out|err) [FP] )?`,
  // kubectl logs --prefix
  String.raw`\[pod/[^\]]+\] `,
];
/** Several may stand one behind the other, as of docker compose logs --timestamps. */
const PREFIX = new RegExp(`^(?:${PREFIXES.join('|')}){1,3}`);

/** A prefix of a container or of syslog. */
export function openPrefix(line: Span): void {
  const text = line.bytes.toString('latin1', line.start, Math.min(line.end, line.start + MAX_PREFIX));
  line.start += PREFIX.exec(text)?.[0].length ?? 0;
}

const QUOTE = 34;

/** Quotes around a whole line, as of a column of CSV or a string of JSON. */
function openQuotes(line: Span): void {
  const { bytes, start, end } = line;
  if (bytes[start] !== QUOTE || bytes[end - 1] !== QUOTE || end - start < 2) return;
  const text = bytes.toString('utf8', start, end);
  const inner = stringOf(text) ?? text.slice(1, -1).replaceAll('""', '"');
  replace(line, inner);
}

/** What Docker, journald and collectors of logs name the line of a program, in an object of JSON. */
const LINES = ['log', 'message', 'MESSAGE', 'line', 'textPayload'];
const BRACE = 123;

/** The line of a program in an object of JSON, as Docker stores it. */
function openObject(line: Span): void {
  const { bytes, start, end } = line;
  if (bytes[start] !== BRACE) return;
  const object = valueOf(bytes.toString('utf8', start, end));
  const inner = LINES.map((name) => (object as Record<string, unknown> | undefined)?.[name]).find(
    (value) => typeof value === 'string',
  );
  if (inner !== undefined) replace(line, inner.trimEnd());
}

/** All of them, in the order in which they are tried. */
export const ENVELOPES: readonly OpenEnvelope[] = [openPrefix, openQuotes, openObject];

function replace(line: Span, text: string): void {
  line.bytes = Buffer.from(text);
  line.start = 0;
  line.end = line.bytes.length;
}

function stringOf(text: string): string | undefined {
  const value = valueOf(text);
  return typeof value === 'string' ? value : undefined;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: a line that was cut off, or quotes of CSV.
    return undefined;
  }
}
