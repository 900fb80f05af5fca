import { OptionReader, type OptionRows } from '@sluice/core/internal';
import { type HttpRequest, isHeaderName } from '@sluice/http/internal';
import { type From, fromRow, headerFrom } from './from-option.js';
import { SentAges } from './sent-ages.js';
import { readSentTime } from './sent-time.js';
import { SHEDDER_FEATURE, type ShedderFeature } from './shedder-feature.js';

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

export const SENT_ROWS = {
  header: { is: isHeaderName, words: "the name of a header, such as 'x-request-start'", required: true },
  from: fromRow('proxies'),
} as const satisfies OptionRows;

/**
 * Has a shedder count what a request has waited anywhere since a proxy has sent it, also where connections queue in the primary of
 * `node:cluster`.
 *
 * @throws ConfigError OPTION_INVALID
 * @example shedder({ features: [sentTimes({ header: 'x-request-start', from: ['10.0.0.0/8'] })] })
 */
export function sentTimes(options: SentOptions): ShedderFeature {
  const textOf = headerFrom('sentTimes', new OptionReader('sentTimes', options, SENT_ROWS).read(SENT_ROWS));
  const measure = () => {
    const ages = new SentAges();
    return {
      of(request: HttpRequest, now: number) {
        const text = textOf(request);
        const sent = text === undefined ? undefined : readSentTime(text);
        return sent === undefined ? 0 : ages.of(sent, now);
      },
      delay: (now: number, busy: () => number) => ages.delay(now, busy),
    };
  };
  return Object.freeze({ [SHEDDER_FEATURE]: { measure } });
}
