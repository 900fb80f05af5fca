import { passingOf } from './passing.js';

/** The header that keeps a priority from one service to the next. */
export const PRIORITY_HEADER = 'x-priority';

/**
 * The headers that keep the priority of a request in a call to another service, whose shedder has `keptPriority`. Empty for a
 * request that passed no gate with a feature of this entry.
 *
 * @param request that of the gate. @default the request whose handler calls
 * @example await fetch(url, { headers: onward() });
 */
export function onward(request?: object): Readonly<Record<string, string>> {
  const passing = passingOf(request);
  return passing === undefined ? {} : { [PRIORITY_HEADER]: passing.priority };
}
