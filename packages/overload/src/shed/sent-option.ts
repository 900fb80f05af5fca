import { headerOf, type HttpRequest, isHeaderName, peerOf, proxiesOption, UNIX } from '@sluice/http/internal';
import type { OptionReader } from '@sluice/core/internal';
import { readSentTime } from './sent-time.js';

/** Times at which proxies have sent requests. */
export interface SentOptions {
  /**
   * The header that the proxies set, and that clients cannot set past them: seconds, milliseconds or microseconds since 1970, with
   * or without `t=`.
   *
   * @example 'x-request-start'
   */
  header: string;
  /**
   * The proxies: peers whose header counts. Addresses and networks, `loopback`, `linklocal` or `uniquelocal`; or `'unix'`, for all
   * that connect to a Unix socket.
   *
   * @example ['10.0.0.0/8']
   */
  from: 'unix' | readonly string[];
}

/** When a proxy has sent a request, in milliseconds since 1970. Undefined if none of the option has. */
export type SentTime = (request: HttpRequest) => number | undefined;

const FORM = "write sent: { header: 'x-request-start', from: ['10.0.0.0/8'] }";

/** The option `sent` of a shedder. @throws ConfigError */
export function readSent(reader: OptionReader): SentTime | undefined {
  const given = reader.value('sent');
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null)
    throw reader.fail('OPTION_INVALID', 'sent', `must be an object: ${FORM}`);
  const sent = reader.within('sent', ['header', 'from']);
  const name = readHeader(sent);
  const isProxy = readFrom(sent);
  return (request) => {
    const text = headerOf(request, name);
    return text === undefined || !isProxy(peerOf(request)) ? undefined : readSentTime(text);
  };
}

function readHeader(sent: OptionReader): string {
  if (!sent.has('header'))
    throw sent.missing('OPTION_INVALID', 'header', "the name of a header, such as 'x-request-start'");
  const header = sent.value('header');
  if (isHeaderName(header)) return header.toLowerCase();
  throw sent.fail('OPTION_INVALID', 'header', 'must be the name of a header');
}

function readFrom(sent: OptionReader): (peer: string | undefined) => boolean {
  const from = sent.value('from');
  const rule = "addresses and networks of your proxies, such as ['10.0.0.0/8'], or 'unix'";
  if (from === undefined) throw sent.missing('OPTION_INVALID', 'from', rule);
  if (from === UNIX) return (peer) => peer === UNIX;
  if (!Array.isArray(from) || from.length === 0) throw sent.fail('OPTION_INVALID', 'from', `must be ${rule}`);
  return proxiesOption('shedder', 'sent.from', from as readonly string[]);
}
