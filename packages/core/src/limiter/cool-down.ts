import type { Duration } from '../model/duration.js';
import { pauseOf } from './pause.js';

/**
 * What a piece of work throws when its upstream asks for a pause: the `pause` tiers of the limiter are paused for all
 * processes, and `run` tries again if its `wait` allows that.
 *
 * @example if (response.status === 429) throw new CoolDown(`${response.headers.get('retry-after')}s`);
 */
export class CoolDown extends Error {
  override readonly name = 'CoolDown';
  /** In milliseconds. */
  readonly milliseconds: number;

  /**
   * @param duration 1 ms to 49 days
   * @throws UsageError for a duration that is not one
   */
  constructor(duration: Duration, options?: ErrorOptions) {
    super(`the upstream asks for a pause of ${duration}${typeof duration === 'number' ? ' ms' : ''}`, options);
    this.milliseconds = pauseOf(duration);
  }
}
