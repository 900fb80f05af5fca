import { OTHER_EVENT, SKIPPED, type ExtraFields, type LogReader, type ReadLine } from '../lines/log-reader.js';
import { anyTime } from '../lines/log-time.js';
import { finder, type Paths } from './json-paths.js';
import { parseLine } from './json-line.js';
import { pathOfField, type ObjectFields } from './object-fields.js';
import { objectReader } from './object-reader.js';

/** The object of a line. Undefined for another line. */
export type ParseLine = (bytes: Buffer, start: number, end: number) => object | undefined;

/**
 * A reader of lines of one or several formats, of which the first that finds a request counts. A line without a client is
 * another event of the application's log.
 *
 * @param parse the object of a line. @default JSON
 */
export function jsonReader(
  formats: readonly ObjectFields[],
  extra: ExtraFields,
  { sample, parse = parseLine }: { readonly sample: readonly Buffer[]; readonly parse?: ParseLine },
): LogReader {
  const objects = sample.flatMap((line) => parse(line, 0, line.length) ?? []);
  const readers = formats.map((fields) => objectReader(fields, extra, objects));
  const readLine: ReadLine = (bytes, start = 0, end = bytes.length) => {
    const line = parse(bytes, start, end);
    if (line === undefined) return undefined;
    let best: ReturnType<ReadLine> = OTHER_EVENT;
    for (const { read } of readers) {
      const request = read(line);
      if (typeof request === 'object' || request === SKIPPED) return request;
      if (request === undefined) best = undefined;
    }
    return best;
  };
  return Object.assign(readLine, {
    isWholeSeconds: () => readers.every((reader) => reader.isWholeSeconds()),
    hasForwarded: () => true,
    rest: () => readers.flatMap((reader) => reader.rest()),
  });
}

/** What lines lack of all that the formats know, as a sentence. Undefined for lines that are no JSON. */
export function lackOf(lines: readonly Buffer[], formats: readonly ObjectFields[], key?: string): string | undefined {
  const objects = lines.flatMap((line) => parseLine(line, 0, line.length) ?? []);
  if (objects.length === 0) return undefined;
  const [times, ips] = [formats.flatMap(({ time }) => time), formats.flatMap(({ ip }) => ip)];
  const [time, client] = [finder(times), finder([...pathOfField(key), ...ips])];
  const names = (paths: Paths) => [...new Set(paths)].join(', ');
  const lacks = [
    objects.some((line) => !Number.isNaN(anyTime(time(line)))) ? '' : `no time, looked for in ${names(times)}`,
    objects.some((line) => client(line) !== undefined)
      ? ''
      : `no client, looked for in ${names([...pathOfField(key), ...ips])}: name it by --key, such as json:$.user.id`,
  ];
  return lacks.filter(Boolean).join('; ') || undefined;
}
