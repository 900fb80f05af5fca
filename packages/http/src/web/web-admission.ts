import type { Decision } from '@sluice/core/internal';
import type { Problem } from '../problem/problem.js';
import type { StandardResponse } from './web-standards.js';

/** The answer of a web gate about a request. */
export type WebAdmission = WebAdmitted | WebDenial;

/** The request goes on. */
export interface WebAdmitted {
  readonly allowed: true;
  /** Undefined for a request that was not counted. */
  readonly decision: Decision | undefined;
  /** Headers for the response: names in lower case, and values. `wrap` sets them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * Returns the response of the application with the headers. What the request holds ends when its body has been
   * read, fails or is cancelled, or when its client leaves. Send what it returns.
   *
   * @throws UsageError for anything but a response, such as a promise of one
   */
  readonly wrap: (response: StandardResponse) => StandardResponse;
}

/** The request ends here. */
export interface WebDenial {
  readonly allowed: false;
  /** Undefined if the client has left while its request waited: no client reads the response. */
  readonly decision: Decision | undefined;
  /** Headers for the response: names in lower case, and values. `response` sets them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly problem: Problem | undefined;
  /** Makes the response: problem details, the option `body`, or the result of `onDenied`. */
  response(): Promise<StandardResponse>;
}
