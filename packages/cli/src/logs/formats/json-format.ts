import { SKIPPED, type ExtraFields, type LogReader } from '../log-reader.js';
import { anyTime } from '../log-time.js';

/** Where a field is: the first path that a line has. */
export type Paths = readonly string[];

/** The fields of a format of one JSON object a line. */
export interface JsonFields {
  readonly time: Paths;
  /** How long the response took. `unit` is that of a number. Absent where `time` is the arrival. */
  readonly taken?: { readonly paths: Paths; readonly milliseconds: number };
  readonly ip: Paths;
  readonly user: Paths;
  readonly method: Paths;
  readonly url: Paths;
  readonly status: Paths;
}

/** A reader of lines. A line without an address is another event of the application's log. */
export function jsonReader(fields: JsonFields, extra: ExtraFields): LogReader {
  const find = (paths: Paths) => {
    const steps = paths.map((path) => path.split('.'));
    return (line: object) => valueAt(line, steps);
  };
  const { taken } = fields;
  const [time, duration, ip, user, method, url, status, key, cost] = [
    fields.time,
    taken?.paths ?? [],
    fields.ip,
    fields.user,
    fields.method,
    fields.url,
    fields.status,
    pathOf(extra.key),
    pathOf(extra.cost),
  ].map(find) as Finders;
  let isPrecise = false;
  return (text) => {
    const line = parse(text);
    if (line === undefined) return undefined;
    const address = ip(line);
    if (address === undefined) return SKIPPED;
    const end = anyTime(time(line));
    if (Number.isNaN(end) || typeof address !== 'string' || address === '') return undefined;
    // Of an end in whole seconds nothing can be subtracted: it would look more precise than it is.
    isPrecise ||= end % 1e3 !== 0;
    const passed = taken === undefined || !isPrecise ? 0 : numberOf(duration(line)) * taken.milliseconds;
    const code = numberOf(status(line));
    return {
      // To the microsecond, as stores count.
      time: Number.isFinite(passed) && passed > 0 ? Math.round((end - passed) * 1e3) / 1e3 : end,
      ip: address.slice(0, MAX_ADDRESS_TEXT),
      user: textOf(user(line)),
      method: textOf(method(line)),
      url: textOf(url(line)),
      status: Number.isInteger(code) ? code : 0,
      key: textOf(key(line)),
      cost: textOf(cost(line)),
    };
  };
}

type Finder = (line: object) => unknown;
type Finders = [Finder, Finder, Finder, Finder, Finder, Finder, Finder, Finder, Finder];

const MAX_ADDRESS_TEXT = 64;

/** The object of a line. Undefined for another text. */
function parse(text: string): object | undefined {
  // Most lines of other formats end here: an error takes longer than the rest.
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
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

function valueAt(line: object, paths: readonly (readonly string[])[]): unknown {
  for (const path of paths) {
    let value: unknown = line;
    for (const name of path) value = own(value, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
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

/** A text or a number as text; the first of an array, because headers are arrays in some logs. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return textOf(value[0]);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '-' ? value : '';
}
