import type { OptionReader } from '../options/option-reader.js';

export const MAX_WEIGHT = 100;
const MAX_CALLER = 2 ** 48 - 1;

/** What the names of the units of a caller end with: its weight and its number. */
export interface CallerEnd {
  readonly weight: number;
  readonly caller: number;
}

/** The caller of a policy. @throws ConfigError */
export function readCallerEnd(options: OptionReader): CallerEnd {
  const fair = options.within('fair', ['caller', 'weight']);
  return {
    weight: fair.integer('OPTION_INVALID', 'weight', { max: MAX_WEIGHT, otherwise: 1 }),
    caller: fair.integer('OPTION_INVALID', 'caller', { min: 0, max: MAX_CALLER }),
  };
}

export function callerEnd({ weight, caller }: CallerEnd): string {
  return `|${weight}|${caller}`;
}
