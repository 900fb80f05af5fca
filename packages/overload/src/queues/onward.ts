import { passingOf } from '../passing/passing.js';
import { PRIORITY_HEADER } from '../passing/priority.js';

/**
 * The headers that keep the priority of a request in a call to another service, whose shedder has `kept`. Empty for a request that
 * passed no gate with `queues`, `deadline` or `kept`.
 *
 * @param request that of the gate. @default the request whose handler calls
 * @example await fetch(url, { headers: onward() });
 */
export function onward(request?: object): Readonly<Record<string, string>> {
  const passing = passingOf(request);
  return passing === undefined ? {} : { [PRIORITY_HEADER]: passing.priority };
}
