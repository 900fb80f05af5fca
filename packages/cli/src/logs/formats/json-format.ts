import { SKIPPED, type ExtraFields, type LogReader, type ReadLine } from '../log-reader.js';
import { anyTime, isFineTime } from '../log-time.js';

/** Where a field is: the first path that a line has. */
export type Paths = readonly string[];

/** The fields of a format of one JSON object a line. */
export interface JsonFields {
  readonly time: Paths;
  /** How long the response took. `unit` is that of a number. Absent where `time` is the arrival. */
  readonly taken?: { readonly paths: Paths; readonly milliseconds: number };
  readonly ip: Paths;
  /** Of `X-Forwarded-For`. */
  readonly forwarded: Paths;
  readonly user: Paths;
  readonly method: Paths;
  readonly url: Paths;
  readonly status: Paths;
  readonly agent: Paths;
}

/** Reads the object of a line. */
interface ObjectReader {
  readonly read: (line: object) => ReturnType<ReadLine>;
  readonly isWholeSeconds: () => boolean;
}

/**
 * A reader of lines of one or several formats, of which the first that finds a request counts. A line without a client is
 * another event of the application's log.
 */
export function jsonReader(formats: readonly JsonFields[], extra: ExtraFields): LogReader {
  const readers = formats.map((fields) => objectReader(fields, extra));
  const readLine: ReadLine = (bytes, start = 0, end = bytes.length) => {
    const line = parse(bytes, start, end);
    if (line === undefined) return undefined;
    let best: ReturnType<ReadLine> = SKIPPED;
    for (const { read } of readers) {
      const request = read(line);
      if (typeof request === 'object') return request;
      if (request === undefined) best = undefined;
    }
    return best;
  };
  return Object.assign(readLine, { isWholeSeconds: () => readers.every((reader) => reader.isWholeSeconds()) });
}

function objectReader(fields: JsonFields, extra: ExtraFields): ObjectReader {
  const { taken } = fields;
  const { addressOf } = extra;
  const [time, duration, ip, forwarded, user, method, url, status, agent, key, cost] = [
    fields.time,
    taken?.paths ?? [],
    fields.ip,
    addressOf === undefined ? [] : fields.forwarded,
    fields.user,
    fields.method,
    fields.url,
    fields.status,
    fields.agent,
    pathOf(extra.key),
    pathOf(extra.cost),
  ].map(finder) as Finders;
  let isFine = false;
  const read = (line: object): ReturnType<ReadLine> => {
    const identity = textOf(key(line));
    // A client that `--key` names needs no address.
    const peer = ip(line) ?? (identity === '' ? undefined : '');
    if (peer === undefined) return SKIPPED;
    const written = time(line);
    const end = anyTime(written);
    if (Number.isNaN(end) || typeof peer !== 'string' || (peer === '' && identity === '')) return undefined;
    const address = addressOf === undefined ? peer : addressOf(peer, headerOf(forwarded(line)))!;
    // Of an end in whole seconds nothing can be subtracted: it would look more precise than it is.
    isFine ||= isFineTime(written);
    const passed = taken === undefined || !isFine ? 0 : numberOf(duration(line)) * taken.milliseconds;
    const code = numberOf(status(line));
    return {
      // To the microsecond, as stores count.
      time: Number.isFinite(passed) && passed > 0 ? Math.round((end - passed) * 1e3) / 1e3 : end,
      ip: address.slice(0, MAX_ADDRESS_TEXT),
      user: textOf(user(line)),
      method: textOf(method(line)),
      url: textOf(url(line)),
      status: Number.isInteger(code) ? code : 0,
      key: identity,
      cost: textOf(cost(line)),
      agent: textOf(agent(line)),
    };
  };
  return { read, isWholeSeconds: () => !isFine };
}

/** What lines lack of all that the formats know, as a sentence. Undefined for lines that are no JSON. */
export function lackOf(lines: readonly Buffer[], formats: readonly JsonFields[], key?: string): string | undefined {
  const objects = lines.flatMap((line) => parse(line, 0, line.length) ?? []);
  if (objects.length === 0) return undefined;
  const [times, ips] = [formats.flatMap(({ time }) => time), formats.flatMap(({ ip }) => ip)];
  const [time, client] = [finder(times), finder([...pathOf(key), ...ips])];
  const names = (paths: Paths) => [...new Set(paths)].join(', ');
  const lacks = [
    objects.some((line) => !Number.isNaN(anyTime(time(line)))) ? '' : `no time, looked for in ${names(times)}`,
    objects.some((line) => client(line) !== undefined)
      ? ''
      : `no client, looked for in ${names([...pathOf(key), ...ips])}: name it by --key, such as json:$.user.id`,
  ];
  return lacks.filter(Boolean).join('; ') || undefined;
}

type Finder = (line: object) => unknown;
type Finders = [Finder, Finder, Finder, Finder, Finder, Finder, Finder, Finder, Finder, Finder, Finder];

const MAX_ADDRESS_TEXT = 64;

const BRACE = 123;
/** Bytes before the object of a line. */
const MAX_INDENT = 16;

/** The object of a line. Undefined for another line. */
function parse(bytes: Buffer, start: number, end: number): object | undefined {
  // Spaces, or the mark of UTF-8 that a file may begin with.
  const most = Math.min(end, start + MAX_INDENT);
  let first = start;
  while (first < most && bytes[first] !== BRACE) first += 1;
  // Most lines of other formats end here: a string and an error take longer than the rest.
  if (first === most) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', first, end));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // A truncated line, or one of another format.
    return undefined;
  }
}

/** A path of `--key` or `--cost`. */
function pathOf(path: string | undefined): Paths {
  return path === undefined ? [] : [path];
}

/** Finds the first of paths that a line has: `client.ip` is a name, or a name in the object of another. */
function finder(paths: Paths): Finder {
  const all = paths.map((path) => ({ path, steps: path.split('.') }));
  return (line) => {
    for (const { path, steps } of all) {
      let value: unknown = line;
      for (const name of steps) value = own(value, name);
      if (steps.length > 1) value ??= own(line, path);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  };
}

/** Lines come from clients too: what objects inherit is no field. */
function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** NaN for anything but a number or its text: an object of a line may have a toString of its own. */
function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

/** Of a header that came several times, all of its values. */
function headerOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
}

/** A string or a number as text; the first of an array, because headers are arrays in some logs. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return textOf(value[0]);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '-' ? value : '';
}
