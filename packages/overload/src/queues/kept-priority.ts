import { OptionReader, type OptionRows } from '@sluice/core/internal';
import { type HttpRequest, isHeaderName } from '@sluice/http/internal';
import { type From, fromRow, headerFrom } from '../shed/from-option.js';
import { isPriority } from '../shed/priority.js';
import { SHEDDER_FEATURE, type ShedderFeature } from '../shed/shedder-feature.js';
import { PRIORITY_HEADER } from './onward.js';
import { pass } from './passing.js';

/** Priorities that other services have given. */
export interface KeptOptions {
  /**
   * The header with the priority.
   *
   * @default 'x-priority'
   */
  header?: string;
  /**
   * The services: peers whose header counts. Addresses and networks, `loopback`, `linklocal` or `uniquelocal`; or `'unix'`, for all
   * that connect to a Unix socket.
   *
   * @example ['10.0.0.0/8']
   */
  from: From;
}

export const KEPT_ROWS = {
  header: { is: isHeaderName, words: "the name of a header, such as 'x-priority'", otherwise: PRIORITY_HEADER },
  from: fromRow('services'),
} as const satisfies OptionRows;

/**
 * Has requests of other services keep the priority that they had there: `onward` sends it. The header of anybody else is ignored.
 *
 * @throws ConfigError OPTION_INVALID
 * @example shedder({ features: [keptPriority({ from: ['10.0.0.0/8'] })] })
 */
export function keptPriority(options: KeptOptions): ShedderFeature {
  const textOf = headerFrom('keptPriority', new OptionReader('keptPriority', options, KEPT_ROWS).read(KEPT_ROWS));
  const priorityOf = (request: HttpRequest) => {
    const text = textOf(request);
    return isPriority(text) ? text : undefined;
  };
  return Object.freeze({ [SHEDDER_FEATURE]: { priorityOf, pass } });
}
