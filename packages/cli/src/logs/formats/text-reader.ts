import { usage } from '../../failure.js';
import type { LoggedRequest } from '../logged-request.js';
import type { ExtraFields, LogReader, ReadLine } from '../log-reader.js';
import { isFineTime } from '../log-time.js';
import type { TextFormat } from './text-format.js';
import { TextLine } from './text-line.js';
import { timeColumns } from './text-times.js';

/** Which column has what, the first of each list that a format has. */
const ADDRESS = ['remote_addr', 'client', 'c-ip', 'appended_forwarded_for'];
const FORWARDED = ['http_x_forwarded_for', 'x-forwarded-for', 'appended_forwarded_for'];
const USER = ['remote_user', 'cs-username'];
const STATUS = ['status', 'elb_status_code', 'sc-status'];
const REQUEST = ['request'];
const METHOD = ['request_method', 'cs-method'];
const URL = ['request_uri', 'uri', 'cs-uri-stem'];
const AGENT = ['http_user_agent', 'user_agent', 'cs(User-Agent)'];

/** With brackets and a port. */
const MAX_ADDRESS_TEXT = 64;

/** A reader of lines of a format. @param decode of fields that `extra` names. @default as they are */
export function textReader(
  format: TextFormat,
  extra: ExtraFields,
  decode: (text: string) => string = (text) => text,
): LogReader {
  const { names } = format;
  const { addressOf } = extra;
  const column = (wanted: readonly string[]) => names.indexOf(wanted.find((name) => names.includes(name)) ?? '');
  const key = extraColumn(names, '--key', extra.key);
  const cost = extraColumn(names, '--cost', extra.cost);
  const [address, user, status, request] = [ADDRESS, USER, STATUS, REQUEST].map(column) as Columns;
  const [method, url, agent] = [METHOD, URL, AGENT].map(column) as [number, number, number];
  const forwarded = addressOf === undefined ? -1 : column(FORWARDED);
  if (addressOf !== undefined && forwarded === -1)
    throw usage('--proxies: this log has no X-Forwarded-For: log $http_x_forwarded_for');
  const { columns: times, timeOf, spelling } = timeColumns(names);
  if (address === -1) throw usage('--format: there is no address: log $remote_addr');
  const last = Math.max(address, user, status, method, url, request, key, cost, forwarded, ...times);
  const line = new TextLine(format, last);
  // Of ALB, and of HAProxy behind the prefix of syslog. With the port each connection would be another string.
  const hasPort = names[address] === 'client';
  // Of Envoy, which appends the address of its peer to the header, and logs it nowhere else.
  const isAppended = names[address] === 'appended_forwarded_for';
  let isFine = spelling === 'fine';

  const clientAddress = (): string => {
    const written = textOf(line.text(address));
    const peer = hasPort
      ? withoutPort(written.slice(written.lastIndexOf(' ') + 1))
      : isAppended
        ? lastOf(written)
        : written;
    if (addressOf === undefined) return peer;
    return addressOf(peer, isAppended ? withoutLast(written) : textOf(line.text(forwarded)))!;
  };

  const found: Mutable<LoggedRequest> = {
    time: 0,
    ip: '',
    status: 0,
    get user() {
      return textOf(line.text(user));
    },
    get method() {
      return request === -1 ? line.text(method) : requestOf(line.text(request))[0];
    },
    get url() {
      return request === -1 ? line.text(url) : requestOf(line.text(request))[1];
    },
    get key() {
      return key === -1 ? '' : decode(textOf(line.text(key)));
    },
    get cost() {
      return textOf(line.text(cost));
    },
    get agent() {
      return textOf(line.text(agent));
    },
  };

  const readLine: ReadLine = (bytes, start = 0, end = bytes.length) => {
    if (!line.split(bytes, start, end)) return undefined;
    found.status = status === -1 ? 0 : statusIn(bytes, line.starts[status]!, line.ends[status]!);
    found.time = timeOf(line);
    if (!isFine && typeof spelling === 'number') isFine = isFineTime(line.text(spelling));
    found.ip = clientAddress();
    const isRequest = !Number.isNaN(found.time) && found.status !== -1 && isAddress(found.ip);
    return isRequest ? found : undefined;
  };
  return Object.assign(readLine, { isWholeSeconds: () => !isFine });
}

type Columns = [address: number, user: number, status: number, request: number];
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** False for what stands before an address, such as a host: all of its clients would be one. */
function isAddress(text: string): boolean {
  return text !== '' && text.length <= MAX_ADDRESS_TEXT && !text.includes(' ');
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

function extraColumn(names: readonly string[], option: string, name: string | undefined): number {
  if (name === undefined) return -1;
  const index = names.indexOf(name);
  if (index !== -1) return index;
  throw usage(`${option} ${name}: this log has no such field; it has ${names.join(', ')}`);
}

/** A field, or an empty string for one that logs write as `-`. */
function textOf(text: string): string {
  return text === '-' ? '' : text;
}

const ZERO = 48;
const MINUS = 45;

/** 0 for one that is not logged, -1 for what is no status. */
function statusIn(bytes: Buffer, start: number, end: number): number {
  if (end === start || (end - start === 1 && bytes[start] === MINUS)) return 0;
  let status = 0;
  for (let at = start; at < end; at += 1) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9 || status > 99) return -1;
    status = status * 10 + digit;
  }
  return status === 0 || status >= 100 ? status : -1;
}

/** Method and URL of a request line. Clients also send lines without them. */
function requestOf(line: string): readonly [method: string, url: string] {
  const space = line.indexOf(' ');
  if (space === -1) return ['', line];
  const end = line.indexOf(' ', space + 1);
  return [line.slice(0, space), line.slice(space + 1, end === -1 ? undefined : end)];
}
