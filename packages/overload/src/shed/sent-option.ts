import { headerOf, type HttpRequest, isHeaderName } from '@sluice/http/internal';
import type { OptionReader, OptionRow, OptionRows } from '@sluice/core/internal';
import { type From, fromRow, isFrom } from './from-option.js';
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
  from: From;
}

/** When a proxy has sent a request, in milliseconds since 1970. Undefined if none of the option has. */
export type SentTime = (request: HttpRequest) => number | undefined;

export const SENT_ROW = {
  is: (sent) => typeof sent === 'object' && sent !== null,
  words: "an object: write sent: { header: 'x-request-start', from: ['10.0.0.0/8'] }",
} as const satisfies OptionRow;

export const SENT_ROWS = {
  header: { is: isHeaderName, words: "the name of a header, such as 'x-request-start'", required: true },
  from: fromRow('proxies'),
} as const satisfies OptionRows;

/** The option `sent` of a shedder. @throws ConfigError */
export function readSent(reader: OptionReader): SentTime | undefined {
  if (!reader.has('sent')) return undefined;
  const { header, from } = reader.within('sent', SENT_ROWS).read(SENT_ROWS);
  const name = (header as string).toLowerCase();
  const isOfProxy = isFrom(from as From, 'sent.from');
  return (request) => {
    const text = headerOf(request, name);
    return text === undefined || !isOfProxy(request) ? undefined : readSentTime(text);
  };
}
