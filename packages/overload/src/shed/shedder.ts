// shed/ measures the delay of the event loop, and refuses the least important requests first. Requests with their
// priority enter. It imports no other room.
import { measure, PerRequestCheck } from '@sluice/core/internal';
import type { HttpRequest } from '@sluice/http/internal';
import { LoadShedder, type Inspect } from './load-shedder.js';
import { loopWatch, type LoopClock } from './loop-watch.js';
import { inspectPrimary } from './primary-queue.js';
import { shedMeasures } from './shed-measures.js';
import { readShedderOptions, type Shedder, type ShedderOptions, type ShedderSettings } from './shedder-options.js';

/**
 * Creates a shedder for the option `shed` of gates: of one, or of many. It measures the delay of the event loop, and refuses
 * requests with 503 and `Retry-After` before a call to a store.
 *
 * @param loop what measures the delay. A simulation has a loop of its own. @default the loop of this process
 * @throws ConfigError that names the option, the rule and the value
 * @example
 * const shed = shedder<Request>({ priority: ({ path }) => (path === '/health' ? 'critical' : 'normal') });
 * app.use(rateLimit({ limit: 100, window: '1m', shed }));
 */
export function shedder<S extends HttpRequest = HttpRequest>(
  options: ShedderOptions<S> = {},
  loop?: LoopClock,
): Shedder<S> {
  const settings = readShedderOptions(options);
  measure(shedMeasures);
  if (loop !== undefined) return new LoadShedder(settings, loop);
  return new LoadShedder(settings, loopWatch(), inspection(settings));
}

function inspection({ facets }: Pick<ShedderSettings<never>, 'facets'>): Inspect {
  const hasEarlierWaits = facets.some(({ measure: measures }) => measures !== undefined);
  const perRequest = new PerRequestCheck('shedder');
  return (request) => {
    if (!hasEarlierWaits) inspectPrimary(request);
    return perRequest.isPending();
  };
}
