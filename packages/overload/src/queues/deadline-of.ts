import { passingOf } from './passing.js';

/** A signal that never aborts. */
const never = new AbortController().signal;

/**
 * A signal that aborts when the client of a request has left, or the `deadline` of its shedder is over. It is made when it is first
 * asked for. A request that passed no gate with a feature of this entry gets one that never aborts.
 *
 * @param request that of the gate. @default the request whose handler calls
 * @example const response = await fetch(url, { signal: deadlineOf(request) });
 */
export function deadlineOf(request?: object): AbortSignal {
  return passingOf(request)?.signal() ?? never;
}
