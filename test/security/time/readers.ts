import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';

import {
  by,
  byApiKey,
  byHeader,
  byIp,
  byJwtSubject,
  bySession,
  compose,
  CoolDown,
  createGate,
  createLimiter,
  createWebGate,
  loginTiers,
  trustProxy,
  type GateResponse,
  type HttpRequest,
} from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { canonicalAddress, parseIdentity } from '@sluice/metrics/operations';

import { detectFormat } from '../../../packages/cli/src/logs/formats/detect-format.js';
import { FORMATS } from '../../../packages/cli/src/logs/formats/formats.js';
import { ENVELOPES } from '../../../packages/cli/src/logs/line-envelope.js';
import { problemOf } from '../../../packages/cli/src/logs/log-problem.js';
import type { LogFormat } from '../../../packages/cli/src/logs/lines/log-reader.js';
import { anyTime } from '../../../packages/cli/src/logs/lines/log-time.js';
import type { LoggedRequest } from '../../../packages/cli/src/logs/lines/logged-request.js';
import { Clients } from '../../../packages/cli/src/replay/clients.js';
import { keyTable } from '../../../packages/cli/src/keys/key-table.js';
import { readNetwork } from '../../../packages/http/src/networks/network.js';
import { problemBody } from '../../../packages/http/src/problem/negotiated-body.js';
import { isPreflight } from '../../../packages/http/src/request/request.js';
import { WebRequest } from '../../../packages/http/src/web/web-request.js';
import { errorType } from '../../../packages/metrics/src/error-type.js';
import { isSameOrigin } from '../../../packages/dashboard/src/access.js';
import { AccessTokens, knownToken } from '../../../packages/dashboard/src/access-tokens.js';
import { type Mounted, partsOf } from '../../../packages/dashboard/src/mounted.js';
import { readBody } from '../../../packages/dashboard/src/request-body.js';

import { loggedRequest } from '../../support/logged-request.js';

export type Read = (text: string) => unknown;

const HEADERS = [
  'accept', 'authorization', 'cookie', 'content-length', 'content-type', 'forwarded', 'host', 'origin', 'sec-fetch-site',
  'transfer-encoding', 'access-control-request-method', 'user-agent', 'via', 'x-api-key', 'x-forwarded-for',
  'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'x-tenant', 'retry-after',
]; // prettier-ignore

const everyHeader = (text: string) => Object.fromEntries(HEADERS.map((name) => [name, text]));
const request = (text: string) => ({ method: 'OPTIONS', headers: everyHeader(text), ip: text, query: { key: text } });

const many = { limit: 1e9, window: '1m', algorithm: 'fixed-window' } as const;
const limiter = createLimiter<string>({ ...many, key: (text) => text });
const partitioned = createLimiter<string>({
  ...many,
  key: () => 'ada',
  partition: (text) => text,
  record: (text) => text,
  label: (text) => text,
});
const composed = createLimiter<{ ip: string }>({
  ...many,
  key: compose(
    byIp(),
    by('user', ({ ip }) => ip),
  ),
});

interface Texts extends HttpRequest {
  readonly text: string;
}

const ip = byIp();
const named = byIp<Texts>({ from: ({ text }) => text });
const proxied = trustProxy(['loopback']);
const tokens = new AccessTokens([knownToken({ by: 'desk', role: 'support' }, 'a'.repeat(24))]);
const byKey = byApiKey({ query: 'key' });
const byBearer = byApiKey({ header: 'authorization' });
const byTenant = byHeader('x-tenant');
const session = bySession();
const subject = byJwtSubject();
const account = by<Texts>('account', ({ text }) => text);
const logins = createLimiter<Texts>({
  tiers: loginTiers<Texts>({ account: ({ text }) => text, device: ({ text }) => text }),
});
const list = ipList({ name: 'listed', seed: ['203.0.113.0/24', '2001:db8::/32'] });
const gate = createGate<HttpRequest>({ ...many, key: byBearer, deny: list }, { trust: () => 'some' });
const webGate = createWebGate({ ...many, key: byApiKey({ query: 'key' }) });
const clients = () => new Clients('ip');
const problem = { title: '', detail: '' } as never;

function responseOf(): GateResponse {
  return { headersSent: false, setHeader: () => undefined, getHeader: () => undefined, once: () => undefined } as never;
}

function webRequestOf(url: string, text: string): WebRequest {
  const headers = new Map(HEADERS.map((name) => [name, text]));
  return new WebRequest({ method: 'GET', url, headers, signal: undefined } as never, { ip: text });
}

/** The body of a message, behind its headers. */
function messageOf(text: string): IncomingMessage {
  const body = new PassThrough();
  return Object.assign(body, { headers: { 'content-type': text } }) as unknown as IncomingMessage;
}

function messageWith(headers: Readonly<Record<string, string>>): IncomingMessage {
  return { headers, socket: {} } as unknown as IncomingMessage;
}

const logged = (text: string): LoggedRequest =>
  loggedRequest({ ip: text, user: text, method: text, url: text, path: text, agent: text, key: text, cost: text });

/** Every function that reads a text which clients choose. */
export const READERS: Readonly<Record<string, Read>> = {
  trustProxy: (text) => proxied('127.0.0.1', text),
  'trustProxy of repeated headers': (text) => proxied('127.0.0.1', halvesOf(text)),
  canonicalAddress,
  readNetwork,
  'ipList.has': (text) => list.has(text),
  byIp: (text) => ip({ ip: text }),
  'byIp({ from })': (text) => named({ text }),
  'byApiKey of a header': (text) => byKey(request(text)),
  'byApiKey of the query': (text) => byKey({ query: { key: text } }),
  'byApiKey of Authorization': (text) => byBearer(request(text)),
  byHeader: (text) => byTenant(request(text)),
  bySession: (text) => session({ headers: { cookie: text }, sessionID: 'known' }),
  byJwtSubject: (text) => subject({ auth: { sub: text, iss: text, payload: { sub: text } } }),
  by: (text) => account({ text }),
  loginTiers: (text) => logins.consume({ text, ip: text }),
  isPreflight: (text) => isPreflight(request(text)),
  problemBody: (text) => problemBody(problem, text),
  'the query of a web request': (text) => webRequestOf(`http://localhost/?${text}`, '').query,
  'the headers of a web request': (text) => webRequestOf('http://localhost/', text).headers,
  createGate: (text) => gate.admit(request(text), responseOf()),
  createWebGate: (text) => webGate.admit(webRequestOf(`http://localhost/?key=${text}`, text).request, { ip: text }),
  'the key of a tier': (text) => limiter.consume(text),
  'partition, record and label of a tier': (text) => partitioned.consume(text),
  compose: (text) => composed.consume({ ip: text }),
  'CoolDown.of': (text) => CoolDown.of({ headers: everyHeader(text) }),
  errorType,
  // A body of the dashboard is half as long as the headers.
  parseIdentity: (text) => attempt(() => parseIdentity(halvesOf(text)[0])),
  'the token of the dashboard': (text) => tokens.callerOf(messageWith({ cookie: text })),
  'the credentials of the dashboard': (text) => tokens.callerOf(messageWith({ authorization: text })),
  'the link of the dashboard': (text) =>
    tokens.linkIn({ request: Object.assign(messageWith({}), { method: 'GET' }), path: '/', query: text } as Mounted),
  'the origin of the dashboard': (text) => isSameOrigin({ headers: { origin: text, host: text } } as never),
  'the media type of the dashboard': (text) => readBody(messageOf(text)).catch(() => undefined),
  'the path of the dashboard': partsOf,
  'detectFormat of sluice replay': (text) => detectFormat([Buffer.from(text)]),
  ...Object.fromEntries(FORMATS.map((format) => [`sluice replay ${format.name}`, readerOf(format)])),
  'the prefixes of sluice replay': (text) =>
    ENVELOPES.forEach((open) => open({ bytes: Buffer.from(text), start: 0, end: Buffer.byteLength(text) })),
  'what sluice replay says of a log that it cannot read': (text) => problemOf([Buffer.from(text)], undefined),
  'the fields of sluice replay': (text) => readerOf(FORMATS[0]!)(`#Fields: date time c-ip ${text}`),
  'the time of sluice replay': anyTime,
  'the client of sluice replay': (text) => clients().of(logged(text)),
  'the user of sluice replay': (text) => new Clients('user').of(logged(text)),
  'the key of sluice keys': (text) => keyTable(['rl']).findAll(`rl:${text}`),
};

/** Reads a line, and all of its texts. */
function readerOf(format: LogFormat): Read {
  const read = format.reader({});
  return (text) => {
    const found = read(Buffer.from(text));
    if (typeof found !== 'object') return found;
    const { user, method, url, path, agent, cost } = found;
    return { user, method, url, path, agent, cost };
  };
}

function halvesOf(text: string): readonly [string, string] {
  const middle = text.length / 2;
  return [text.slice(0, middle), text.slice(middle)];
}

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
