import { usage } from '../../failure.js';
import type { ExtraFields, LogReader, ReadLine } from '../log-reader.js';
import { anyTime, dayTime, epochTime, isFineTime, isoTime, rememberLast } from '../log-time.js';

/** The columns of a line, and the text before, between and behind them. */
export interface TextFormat {
  readonly names: readonly string[];
  /** One more than names. */
  readonly separators: readonly string[];
}

/** Which column has what, the first of each list that a format has. */
const ADDRESS = ['remote_addr', 'client', 'c-ip', 'appended_forwarded_for'];
const FORWARDED = ['http_x_forwarded_for', 'x-forwarded-for', 'appended_forwarded_for'];
const USER = ['remote_user'];
const STATUS = ['status', 'elb_status_code', 'sc-status'];
const METHOD = ['request_method', 'cs-method'];
const URL = ['request_uri', 'uri', 'cs-uri-stem'];
const AGENT = ['http_user_agent', 'user_agent', 'cs(User-Agent)'];

/**
 * Compiles a `log_format` of nginx.
 *
 * @throws Failure for a format without the address or the time
 */
export function parseTextFormat(text: string): TextFormat {
  const parts = text.split(/\$(?:\{(\w+)\}|(\w+))/);
  const names: string[] = [];
  const separators: string[] = [parts[0]!];
  for (let index = 1; index < parts.length; index += 3) {
    names.push((parts[index] ?? parts[index + 1])!);
    separators.push(parts[index + 2]!);
  }
  if (names.length === 0) throw usage(`--format ${text}: this is no known format, and no log_format of nginx`);
  const joined = separators.slice(1, -1).indexOf('');
  if (joined !== -1) throw usage(`--format: nothing separates $${names[joined]} and $${names[joined + 1]}`);
  return { names, separators };
}

/** Columns between tabs. */
export function tabSeparated(names: readonly string[]): TextFormat {
  return { names, separators: ['', ...names.slice(1).map(() => '\t'), ''] };
}

/** A reader of lines of a format. @param decode of fields that `extra` names. @default as they are */
export function textReader(
  { names, separators }: TextFormat,
  extra: ExtraFields,
  decode: (text: string) => string = (text) => text,
): LogReader {
  const column = (wanted: readonly string[]) => names.indexOf(wanted.find((name) => names.includes(name)) ?? '');
  const [address, user, status, method, url] = [ADDRESS, USER, STATUS, METHOD, URL].map(column) as Columns;
  const request = column(['request']);
  const agent = column(AGENT);
  const key = extraColumn(names, '--key', extra.key);
  const cost = extraColumn(names, '--cost', extra.cost);
  const { addressOf } = extra;
  const forwarded = addressOf === undefined ? -1 : column(FORWARDED);
  if (addressOf !== undefined && forwarded === -1)
    throw usage('--proxies: this log has no X-Forwarded-For: log $http_x_forwarded_for');
  const { columns: times, timeOf, spelling } = timeColumns(names);
  let isFine = spelling === 'fine';
  if (address === -1) throw usage('--format: there is no address: log $remote_addr');
  const last = Math.max(address, user, status, method, url, request, key, cost, forwarded, ...times);
  const quoted = names.map((_, index) => separators[index]!.endsWith('"') && separators[index + 1]!.startsWith('"'));
  const starts = new Int32Array(names.length);
  const ends = new Int32Array(names.length);
  const prefix = separators[0]!;
  // Of ALB. With the port each connection would be another string.
  const hasPort = names[address] === 'client';
  // Of Envoy, which appends the address of its peer to the header, and logs it nowhere else.
  const isAppended = names[address] === 'appended_forwarded_for';

  /** Where the column that begins at a position ends. -1 for a column that does not end. */
  const endOf = (line: string, index: number, position: number): number => {
    const separator = separators[index + 1]!;
    if (quoted[index]) return closingQuote(line, position);
    return separator === '' ? line.length : line.indexOf(separator, position);
  };

  /** Finds the columns up to the last one that is needed. */
  const split = (line: string): boolean => {
    if (!line.startsWith(prefix)) return false;
    let position = prefix.length;
    for (let index = 0; index <= last; index += 1) {
      const separator = separators[index + 1]!;
      const end = endOf(line, index, position);
      if (end === -1) {
        // The last columns of a format may be missing, such as those of combined in common.
        if (index < last || quoted[index] || position >= line.length) return false;
        starts[index] = position;
        ends[index] = line.length;
        return true;
      }
      // A quote in the middle of what should be the separator: this line is of another format.
      if (quoted[index] && !line.startsWith(separator, end) && end + 1 < line.length) return false;
      starts[index] = position;
      ends[index] = end;
      position = end + separator.length;
    }
    return true;
  };

  /** A line is a request also without its last columns. */
  const agentIn = (line: string): string => {
    let [start, end] = [starts[last]!, ends[last]!];
    for (let index = last; index < agent; index += 1) {
      start = end + separators[index + 1]!.length;
      end = endOf(line, index + 1, start);
      if (end === -1) return '';
    }
    return line.slice(start, end);
  };

  const readLine: ReadLine = (line) => {
    if (!split(line)) return undefined;
    const field = (index: number) => (index === -1 ? '' : line.slice(starts[index], ends[index]));
    const time = timeOf(field);
    if (!isFine && typeof spelling === 'number') isFine = isFineTime(field(spelling));
    const written = textOf(field(address));
    const peer = hasPort ? withoutPort(written) : isAppended ? lastOf(written) : written;
    const header = isAppended ? withoutLast(written) : textOf(field(forwarded));
    const ip = addressOf === undefined ? peer : addressOf(peer, header)!;
    if (Number.isNaN(time) || ip === '' || ip.length > MAX_ADDRESS_TEXT) return undefined;
    const code = statusOf(field(status));
    if (code === undefined) return undefined;
    const [first, target] = request === -1 ? [field(method), field(url)] : requestOf(field(request));
    return {
      time,
      ip,
      user: textOf(field(user)),
      method: first,
      url: target,
      status: code,
      key: key === -1 ? '' : decode(textOf(field(key))),
      cost: textOf(field(cost)),
      agent: textOf(agent > last ? agentIn(line) : field(agent)),
    };
  };
  return Object.assign(readLine, { isWholeSeconds: () => !isFine });
}

/** The address of `203.0.113.7:2817` or `[2001:db8::7]:2817`. */
function withoutPort(text: string): string {
  const address = text.slice(0, Math.max(0, text.lastIndexOf(':')));
  return address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address;
}

/** The last address of a list. */
function lastOf(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1).trim();
}

function withoutLast(list: string): string {
  return list.slice(0, Math.max(0, list.lastIndexOf(',')));
}

type Columns = [address: number, user: number, status: number, method: number, url: number];

/** With brackets and a port. */
const MAX_ADDRESS_TEXT = 64;

function extraColumn(names: readonly string[], option: string, name: string | undefined): number {
  if (name === undefined) return -1;
  const index = names.indexOf(name);
  if (index !== -1) return index;
  throw usage(`${option} ${name}: this log has no such field; it has ${names.join(', ')}`);
}

/** The position of the next quote that is not escaped. */
function closingQuote(line: string, from: number): number {
  let end = line.indexOf('"', from);
  while (end > from && line.charCodeAt(end - 1) === BACKSLASH) {
    let slashes = end - 1;
    while (slashes > from && line.charCodeAt(slashes - 1) === BACKSLASH) slashes -= 1;
    if ((end - slashes) % 2 === 0) return end;
    end = line.indexOf('"', end + 1);
  }
  return end;
}

const BACKSLASH = 92;

/** A field, or an empty string for one that logs write as `-`. */
function textOf(text: string): string {
  return text === '-' ? '' : text;
}

/** Undefined for a string that is no status. */
function statusOf(text: string): number | undefined {
  if (text === '' || text === '-') return 0;
  const status = Number(text);
  return Number.isInteger(status) && (status === 0 || status >= 100) && status < 1_000 ? status : undefined;
}

/** Method and URL of a request line. Clients also send lines without them. */
function requestOf(line: string): readonly [method: string, url: string] {
  const space = line.indexOf(' ');
  if (space === -1) return ['', line];
  const end = line.indexOf(' ', space + 1);
  return [line.slice(0, space), line.slice(space + 1, end === -1 ? undefined : end)];
}

interface TimeColumns {
  readonly columns: readonly number[];
  readonly timeOf: (field: (index: number) => string) => number;
  /** Whether times are finer than a second, or the column that tells. */
  readonly spelling: 'fine' | 'seconds' | number;
}

/** Where the time of a request is: when it arrived, if the log has that. @throws Failure for a format without a time */
function timeColumns(names: readonly string[]): TimeColumns {
  const at = (name: string) => names.indexOf(name);
  const [msec, taken] = [at('msec'), at('request_time')];
  if (msec !== -1 && taken !== -1) {
    // To the millisecond, as both are logged.
    const start = (end: string, seconds: string) => Math.round(epochTime(secondsOf(end)) - secondsOf(seconds) * 1e3);
    return { columns: [msec, taken], timeOf: (field) => start(field(msec), field(taken)), spelling: 'fine' };
  }
  if (msec !== -1) {
    return { columns: [msec], timeOf: (field) => epochTime(secondsOf(field(msec))), spelling: 'fine' };
  }
  const parsers = { request_creation_time: isoTime, time_iso8601: isoTime, time_local: dayTime } as const;
  for (const [name, parse] of Object.entries(parsers)) {
    const index = at(name);
    if (index === -1) continue;
    const time = rememberLast(parse);
    return {
      columns: [index],
      timeOf: (field) => time(field(index)),
      spelling: name === 'time_local' ? 'seconds' : index,
    };
  }
  const [timestamp, date, clock] = [at('timestamp'), at('date'), at('time')];
  if (timestamp !== -1) {
    return { columns: [timestamp], timeOf: (field) => anyTime(field(timestamp)), spelling: timestamp };
  }
  if (date === -1 || clock === -1)
    throw usage('--format: there is no time: log $msec and $request_time, or $time_local');
  const time = rememberLast(isoTime);
  return { columns: [date, clock], timeOf: (field) => time(`${field(date)}T${field(clock)}Z`), spelling: clock };
}

/** NaN for a string that is no number, and for an empty one. */
function secondsOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
