import type { Decision } from '../../model/decision.js';
import { BoundedCache } from '../../cache/bounded-cache.js';
import { retryAfterOf } from '../headers/retry-after.js';

/** What a client is told of a denial: problem details, RFC 9457. */
export interface Problem {
  /** What kind of problem it is, by a URI: those of the IETF's draft on rate limit fields. */
  readonly type: string;
  readonly title: string;
  /** The status of the answer: 429 denied, 422 can never fit, 503 the limits cannot be checked. */
  readonly status: 422 | 429 | 503;
  readonly detail: string;
  /** Names of the policies that deny, as in `RateLimit-Policy`. */
  readonly 'violated-policies'?: readonly string[];
}

const REGISTRY = 'https://iana.org/assignments/http-problem-types#';

/** Problems that are remembered: under attack nearly all clients are told one of a few. */
const KNOWN = 4_096;

const problems = new BoundedCache<Said>(KNOWN);

/** A problem, and what it is made of. */
interface Said {
  readonly reason: Decision['reason'];
  readonly seconds: number | undefined;
  readonly violated: readonly string[];
  readonly problem: Problem;
}

/** What was said last: whoever has come at the same time is told the same, and to put a text together takes longer. */
let latest: Said | undefined;

/**
 * The problem of a request that was not admitted. Nothing in it tells who anyone is. What says the same is the same
 * object.
 *
 * @param violated names of the policies that deny
 */
export function problemOf({ reason, retryAfter }: Decision, violated: readonly string[]): Problem {
  const seconds = retryAfterOf({ retryAfter });
  if (!latest || !says(latest, reason, seconds, violated)) latest = saidOf(reason, seconds, violated);
  return latest.problem;
}

function says(said: Said, reason: Said['reason'], seconds: Said['seconds'], violated: Said['violated']): boolean {
  if (said.seconds !== seconds || said.reason !== reason || said.violated.length !== violated.length) return false;
  for (let index = 0; index < violated.length; index += 1) if (said.violated[index] !== violated[index]) return false;
  return true;
}

function saidOf(reason: Said['reason'], seconds: Said['seconds'], names: Said['violated']): Said {
  // No name has a line feed in it.
  const text = `${reason}\n${seconds}\n${names.length === 1 ? names[0]! : names.join('\n')}`;
  const known = problems.get(text);
  if (known) return known;
  const violated = Object.freeze([...names]);
  const said = { reason, seconds, violated, problem: Object.freeze(describe(reason, seconds, violated)) };
  problems.set(text, said);
  return said;
}

function describe(reason: Decision['reason'], seconds: number | undefined, violated: readonly string[]): Problem {
  if (reason === 'unavailable') {
    return {
      type: `${REGISTRY}temporary-reduced-capacity`,
      title: 'Request cannot be satisfied due to temporary server capacity constraints',
      status: 503,
      detail: `The limits of this service cannot be checked at the moment. Retry in ${timeText(seconds)}.`,
    };
  }
  const named = { 'violated-policies': violated };
  if (reason === 'never') {
    return {
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'The request can never fit its limit. Retrying does not help.',
      ...named,
    };
  }
  return {
    type: `${REGISTRY}quota-exceeded`,
    title: 'Request cannot be satisfied as assigned quota has been exceeded',
    status: 429,
    detail: `Too many requests. Retry in ${timeText(seconds)}.`,
    ...named,
  };
}

function timeText(seconds: number | undefined): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
