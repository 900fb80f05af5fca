import { type Duration, type DurationRange, type OptionRows, readOptions } from '@sluice/core/internal';
import { SHEDDER_FEATURE, type ShedderFeature } from '../shed/shedder-feature.js';
import { pass } from './passing.js';

const TIME: DurationRange = { range: '1 ms to an hour', max: 3.6e9, example: "'2s'" };

export const DEADLINE_ROWS = { time: { milliseconds: TIME, required: true } } as const satisfies OptionRows;

/**
 * Says how long clients of a shedder wait for an answer: no acquisition waits longer, and `deadlineOf` makes a signal of it.
 *
 * @param time from 1 ms to an hour
 * @throws ConfigError OPTION_INVALID
 * @example shedder({ features: [database, deadline('2s')] })
 */
export function deadline(time: Duration): ShedderFeature {
  const { time: milliseconds } = readOptions('deadline', { time }, DEADLINE_ROWS);
  const facets: ShedderFeature[typeof SHEDDER_FEATURE] = {
    pass: (visit, gate) => pass(visit, gate).endIn(milliseconds),
  };
  return Object.freeze({ [SHEDDER_FEATURE]: facets });
}
