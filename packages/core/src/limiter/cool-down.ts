import { MAX_PAUSE_MS } from '../algorithms/pause/pause.js';
import type { Duration } from '../model/duration.js';
import type { ErrorCause } from '../model/errors.js';
import { pauseOf } from './pause.js';

/** An answer with headers: of `fetch`, axios, or a request of Node. */
export interface Answered {
  readonly headers:
    | { get(name: string): unknown }
    | Readonly<Record<string, string | readonly string[] | number | undefined>>;
}

/**
 * What a piece of work throws when its upstream asks for a pause: the `pause` tiers of the limiter are paused for all
 * processes, and `run` tries again if its `wait` allows that.
 *
 * @example if (response.status === 429) throw CoolDown.of(response);
 */
export class CoolDown extends Error {
  override readonly name = 'CoolDown';
  /** In milliseconds. */
  readonly milliseconds: number;

  /**
   * @param duration 1 ms to 49 days
   * @throws UsageError for a duration that is not one
   */
  constructor(duration: Duration, options?: ErrorCause) {
    super(`the upstream asks for a pause of ${duration}${typeof duration === 'number' ? ' ms' : ''}`, options);
    this.milliseconds = pauseOf(duration, 'CoolDown');
  }

  /**
   * The pause that an answer asks for by `retry-after-ms`, or by `Retry-After` in seconds or as a date.
   *
   * @param otherwise for an answer that does not say
   */
  static of(answer: Answered, otherwise: Duration = '1s'): CoolDown {
    const requested = requestedPause(answer, Date.now());
    if (requested === undefined) return new CoolDown(otherwise);
    return new CoolDown(`${Math.min(MAX_PAUSE_MS, Math.max(1, Math.ceil(requested)))}ms`);
  }
}

/** In milliseconds. */
function requestedPause({ headers }: Answered, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headerOf(headers, 'retry-after-ms'));
  if (milliseconds >= 0) return milliseconds;
  const text = headerOf(headers, 'retry-after');
  if (/^\s*\d/.test(text)) return Number.parseFloat(text) * 1e3;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}

function headerOf(headers: Answered['headers'], name: string): string {
  const value: unknown =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}
