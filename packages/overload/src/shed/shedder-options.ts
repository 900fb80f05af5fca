import { byIp, type HttpRequest, type Shedding } from '@sluice/http/internal';
import {
  type Duration,
  type DurationRange,
  FUNCTION,
  type KeyFunction,
  OptionReader,
  type OptionRows,
} from '@sluice/core/internal';
import { readSent, SENT_ROW, type SentOptions, type SentTime } from './sent-option.js';

/** Which requests go first when there is too little. `critical` requests are never refused because of overload. */
export type Priority = 'critical' | 'normal' | 'sheddable';

export interface ShedderOptions<S> {
  /**
   * The delay of the event loop that is no overload, from 5 ms to 10 s. Take more than the longest usual task of a request.
   *
   * @default '50ms'
   */
  target?: Duration;
  /**
   * The priority of a request. It is called under overload only. Another result is `'normal'`, with a warning.
   *
   * @default every request is 'normal'
   * @example priority: ({ method }) => (['GET', 'HEAD'].includes(method) ? 'sheddable' : 'normal')
   */
  priority?: (request: S) => Priority;
  /**
   * Whose requests are served or refused together, for a minute.
   *
   * @default byIp()
   */
  key?: KeyFunction<S>;
  /**
   * Times at which proxies have sent requests: a request then counts what it has waited anywhere since, also where connections
   * queue in the primary of `node:cluster`.
   *
   * @default none: what waits outside of the process is not seen
   * @example sent: { header: 'x-request-start', from: ['10.0.0.0/8'] }
   */
  sent?: SentOptions;
  /**
   * `'shadow'` refuses nothing, and publishes what it would refuse. `'off'` does nothing.
   *
   * @default 'enforce'
   */
  mode?: 'off' | 'shadow' | 'enforce';
}

/** Refuses requests that this process cannot serve in time, the least important first. */
export interface Shedder<S> extends Shedding<S> {
  /** How overloaded the process is. 0: calm. 100: all sheddable requests are refused. 200: all normal ones too. */
  readonly level: number;
  /** Milliseconds that the event loop has been late for 200 ms or longer. */
  readonly standing: number;
}

const TARGET: DurationRange = { range: '5 ms to 10 s', min: 5e3, max: 1e7, example: "'50ms'", isShort: true };

export const SHEDDER_ROWS = {
  target: { milliseconds: TARGET, otherwise: '50ms' },
  priority: FUNCTION,
  key: FUNCTION,
  sent: SENT_ROW,
  mode: { oneOf: ['off', 'shadow', 'enforce'], otherwise: 'enforce' },
} as const satisfies OptionRows;

/** Options that were checked. */
export interface ShedderSettings<S> {
  /** In milliseconds. */
  readonly target: number;
  readonly priority: ((request: S) => Priority) | undefined;
  readonly key: KeyFunction<S>;
  readonly sent: SentTime | undefined;
  readonly mode: 'off' | 'shadow' | 'enforce';
}

/** @throws ConfigError */
export function readShedderOptions<S extends HttpRequest>(options: ShedderOptions<S>): ShedderSettings<S> {
  const reader = new OptionReader('shedder', options, SHEDDER_ROWS);
  const { target, mode } = reader.read(SHEDDER_ROWS);
  const { priority, key = byIp<S>() } = options;
  return { target, priority, key, sent: readSent(reader), mode };
}
