import { byIp, type HttpRequest, type Shedding } from '@sluice/http/internal';
import {
  type Duration,
  type DurationRange,
  FUNCTION,
  type KeyFunction,
  type OptionRows,
  readOptions,
} from '@sluice/core/internal';
import type { Priority } from './priority.js';
import type { ScarceQueue } from './scarce-queue.js';
import { isShedderFeature, SHEDDER_FEATURE, type ShedderFacets, type ShedderFeature } from './shedder-feature.js';

export type { Priority } from './priority.js';

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
   * What else the shedder does: queues before what handlers acquire, deadlines, priorities that other services have given, and
   * times at which proxies have sent requests.
   *
   * @default nothing
   * @example features: [queueDelay('database'), deadline('2s')]
   */
  features?: readonly ShedderFeature[];
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
  features: {
    is: (features) => Array.isArray(features) && features.every(isShedderFeature),
    words: "a list of features: write features: [queueDelay('database'), deadline('2s')]",
  },
  mode: { oneOf: ['off', 'shadow', 'enforce'], otherwise: 'enforce' },
} as const satisfies OptionRows;

/** Options that were checked. */
export interface ShedderSettings<S> {
  /** In milliseconds. */
  readonly target: number;
  readonly priority: ((request: S) => Priority | Wish) | undefined;
  readonly key: KeyFunction<S>;
  readonly facets: readonly ShedderFacets[];
  readonly mode: 'off' | 'shadow' | 'enforce';
}

/** @throws ConfigError */
export function readShedderOptions<S extends HttpRequest>(options: ShedderOptions<S>): ShedderSettings<S> {
  const { target, mode } = readOptions('shedder', options, SHEDDER_ROWS);
  const { priority, key = byIp<S>(), features = [] } = options;
  return { target, priority, key, facets: features.map((feature) => feature[SHEDDER_FEATURE]), mode };
}
