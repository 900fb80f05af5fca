import { byIp, type HttpRequest, type Shedding } from '@sluice/http/internal';
import {
  type Duration,
  type DurationRange,
  FUNCTION,
  type KeyFunction,
  OptionReader,
  type OptionRows,
} from '@sluice/core/internal';
import type { Priority } from '../passing/priority.js';
import type { ScarceQueue } from '../passing/scarce-queue.js';
import { type KeptOptions, type KeptPriority, KEPT_ROW, readKept } from './kept-option.js';
import { readSent, SENT_ROW, type SentOptions, type SentTime } from './sent-option.js';

export type { Priority } from '../passing/priority.js';

/** What a request is worth, and what it needs. */
export interface Wish {
  is: Priority;
  /** Queues before what the request needs: it is refused at its gate if one of them is overloaded. @default none */
  needs?: readonly ScarceQueue[];
}

export interface ShedderOptions<S> {
  /**
   * The delay of the event loop that is no overload, from 5 ms to 10 s. Take more than the longest usual task of a request.
   *
   * @default '50ms'
   */
  target?: Duration;
  /**
   * The priority of a request, or `{ is, needs }` for one that needs a queue. It is called under overload only. Another result is
   * `'normal'`, with a warning.
   *
   * @default every request is 'normal'
   * @example priority: ({ method }) => (['GET', 'HEAD'].includes(method) ? 'sheddable' : 'normal')
   */
  priority?: (request: S) => Priority | Wish;
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
   * Queues before what handlers acquire: `queueDelay` of `@sluice/overload/queues` makes them. Acquisitions then know the priority,
   * the client and the deadline of their request.
   *
   * @default none
   * @example queues: [database]
   */
  queues?: readonly ScarceQueue[];
  /**
   * How long a client waits for an answer, from 1 ms to an hour: `deadlineOf` makes a signal of it, and no acquisition waits longer.
   *
   * @default none
   */
  deadline?: Duration;
  /**
   * Services whose requests keep the priority that they had there: `onward` sends it.
   *
   * @default none: the header of any client is ignored
   * @example kept: { from: ['10.0.0.0/8'] }
   */
  kept?: KeptOptions;
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

const DEADLINE: DurationRange = { range: '1 ms to an hour', max: 3.6e9, example: "'2s'" };

function isQueue(queue: unknown): boolean {
  const { name, level } = Object(queue) as Partial<ScarceQueue>;
  return typeof name === 'string' && typeof level === 'number';
}

export const SHEDDER_ROWS = {
  target: { milliseconds: TARGET, otherwise: '50ms' },
  priority: FUNCTION,
  key: FUNCTION,
  sent: SENT_ROW,
  queues: {
    is: (queues) => Array.isArray(queues) && queues.length > 0 && queues.every(isQueue),
    words: "a list of what queueDelay of @sluice/overload/queues returns: write queues: [queueDelay('database')]",
  },
  deadline: { milliseconds: DEADLINE },
  kept: KEPT_ROW,
  mode: { oneOf: ['off', 'shadow', 'enforce'], otherwise: 'enforce' },
} as const satisfies OptionRows;

/** Options that were checked. */
export interface ShedderSettings<S> {
  /** In milliseconds. */
  readonly target: number;
  readonly priority: ((request: S) => Priority | Wish) | undefined;
  readonly key: KeyFunction<S>;
  readonly sent: SentTime | undefined;
  readonly queues: readonly ScarceQueue[];
  /** In milliseconds. */
  readonly deadline: number | undefined;
  readonly kept: KeptPriority | undefined;
  readonly mode: 'off' | 'shadow' | 'enforce';
}

/** @throws ConfigError */
export function readShedderOptions<S extends HttpRequest>(options: ShedderOptions<S>): ShedderSettings<S> {
  const reader = new OptionReader('shedder', options, SHEDDER_ROWS);
  const { target, mode, deadline } = reader.read(SHEDDER_ROWS);
  const { priority, key = byIp<S>(), queues = [] } = options;
  return { target, priority, key, sent: readSent(reader), queues, deadline, kept: readKept(reader), mode };
}
