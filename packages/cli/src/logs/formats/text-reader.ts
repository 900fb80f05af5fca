import { isIP } from 'node:net';
import { usage } from '../../failure/failure.js';
import type { LoggedRequest } from '../lines/logged-request.js';
import { spanOf, stringOf } from '../lines/span.js';
import type { ExtraFields, LogReader, ReadLine } from '../lines/log-reader.js';
import { capturedAddresses, isPlainAddress, readAddress, withoutPort } from './logged-address.js';
import { methodIn, narrowToPath, pathOf, requestOf } from './request-line.js';
import type { TextFormat } from './text-format.js';
import { TextLine } from './text-line.js';
import { timeColumns } from './text-times.js';

/** Which column has what, the first of each list that a format has. */
const ADDRESS = [
  'remote_addr',
  'client',
  'c-ip',
  // Envoy and nginx append the address of their peer to the header.
  'appended_forwarded_for',
  'proxy_add_x_forwarded_for',
  'http_cf_connecting_ip',
  'http_x_real_ip',
  'http_x_forwarded_for',
];
const FORWARDED = ['http_x_forwarded_for', 'x-forwarded-for', 'X-Forwarded-For'];
const USER = ['remote_user', 'cs-username'];
const STATUS = ['status', 'elb_status_code', 'sc-status'];
const REQUEST = ['request'];
const METHOD = ['request_method', 'cs-method'];
const URL = ['request_uri', 'uri', 'cs-uri-stem'];
const AGENT = ['http_user_agent', 'user_agent', 'cs(User-Agent)'];

/** How a format writes fields that it encodes. @default as they are */
export interface Decoders {
  /** Of fields that `extra` names. */
  readonly decodeValue?: (text: string) => string;
  readonly decodeAgent?: (text: string) => string;
}

const unchanged = (text: string) => text;

/** A reader of lines of a format. */
export function textReader(
  format: TextFormat,
  extra: ExtraFields,
  { decodeValue = unchanged, decodeAgent = unchanged }: Decoders = {},
): LogReader {
  const { names } = format;
  const { addressOf } = extra;
  const column = (wanted: readonly string[]) => names.indexOf(wanted.find((name) => names.includes(name)) ?? '');
  const key = extraColumn(names, '--key', extra.key);
  const cost = extraColumn(names, '--cost', extra.cost);
  const [address, user, status, request] = [ADDRESS, USER, STATUS, REQUEST].map(column) as Columns;
  const [method, url, agent] = [METHOD, URL, AGENT].map(column) as [number, number, number];
  const header = column(FORWARDED);
  const forwarded = header === address || addressOf === undefined ? -1 : header;
  const vhost = names.indexOf('vhost');
  const captures = addressOf === undefined ? -1 : names.indexOf('queues_and_captures');
  const { columns: times, timeOf, isFine } = timeColumns(names);
  if (address === -1) throw usage('--format: there is no address: log $remote_addr');
  const last = Math.max(address, user, status, method, url, request, key, cost, forwarded, ...times);
  const line = new TextLine(format, last);
  // Of load balancers of AWS, and of HAProxy behind the prefix of syslog.
  const hasPort = names[address] === 'client';
  const needsReading = hasPort || vhost !== -1 || addressOf !== undefined;
  let hasLists = false;
  /** The client of the line, where it is not written as a plain address. */
  let written: string | undefined;
  /** Undefined for a line without a client. */
  const clientAddress = (): string | undefined => {
    const text = line.text(address);
    const read = readAddress(hasPort ? withoutPort(text.slice(text.lastIndexOf(' ') + 1)) : text);
    if (read === undefined || (vhost !== -1 && !isVirtualHost(line.text(vhost)))) return undefined;
    const list = captures === -1 ? read.forwarded : capturedAddresses(line.text(captures));
    hasLists ||= list !== '';
    if (addressOf === undefined) return read.peer;
    return addressOf(read.peer, forwarded === -1 ? list : textOf(line.text(forwarded)));
  };
  const found: Mutable<LoggedRequest> = {
    time: 0,
    status: 0,
    get ip() {
      return written ?? line.text(address);
    },
    get ipBytes() {
      return written === undefined ? line.span(address) : spanOf(written);
    },
    get user() {
      return textOf(line.text(user));
    },
    get method() {
      return request === -1 ? line.text(method) : methodIn(line.span(request));
    },
    get url() {
      return request === -1 ? line.text(url) : requestOf(line.text(request))[1];
    },
    get path() {
      return stringOf(found.pathBytes);
    },
    get pathBytes() {
      const span = line.span(request);
      return request !== -1 && narrowToPath(span) ? span : spanOf(pathOf(found.url));
    },
    get key() {
      return key === -1 ? '' : decodeValue(textOf(line.text(key)));
    },
    get cost() {
      return textOf(line.text(cost));
    },
    get agent() {
      return decodeAgent(textOf(line.text(agent)));
    },
    get agentCode() {
      return line.hash(agent);
    },
  };

  const readLine: ReadLine = (bytes, start = 0, end = bytes.length) => {
    if (!line.split(bytes, start, end)) return undefined;
    found.status = status === -1 ? 0 : statusIn(bytes, line.starts[status]!, line.ends[status]!);
    found.time = timeOf(line);
    if (Number.isNaN(found.time) || found.status === -1) return undefined;
    written = undefined;
    if (!needsReading && isPlainAddress(line.span(address))) return found;
    written = clientAddress();
    return written === undefined ? undefined : found;
  };
  return Object.assign(readLine, {
    isWholeSeconds: () => !isFine(),
    hasForwarded: () => header !== -1 || hasLists,
    rest: () => [],
  });
}

type Columns = [address: number, user: number, status: number, request: number];
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const VIRTUAL_HOST = /^(?:[\w.*-]+|\[[\da-f:]+\])(?::\d+)?$/i;

/**
 * False for what is no host: a prefix, or an address without a port, which begins a list of addresses. As a host it would
 * make one client of all that have the same proxy.
 */
function isVirtualHost(text: string): boolean {
  return VIRTUAL_HOST.test(text) && isIP(text) === 0;
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
