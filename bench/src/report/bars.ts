import type { Bar } from './bar.js';
import { httpBars } from './http-bars.js';
import { memoryBars, observedBars, overrideBars } from './memory-bars.js';
import { quotaBars } from './quota-bars.js';
import { permitBars, redisBars } from './redis-bars.js';
import type { Report } from './report.js';

/** What a run has to show. */
export function barsOf(report: Report): readonly Bar[] {
  return [
    ...redisBars(report),
    ...memoryBars(report),
    ...observedBars(report),
    ...overrideBars(report),
    ...quotaBars(report),
    ...permitBars(report),
    ...httpBars(report),
  ];
}
