// problem/ has the body of a denial (RFC 9457): the texts of 429, 403, 422 and 503; used-up.ts has that of a
// period of a calendar. Decisions enter, and a problem leaves. It imports headers, whose seconds it
// repeats.
import { type AppointedProblem, type Decision, TieredDecision, type ToldDenial } from '@sluice/core/internal';
import { retryAfterOf } from '../headers/quota-report.js';

/** Problem details of a denial, by RFC 9457. */
export interface Problem extends AppointedProblem {
  /** The kind of problem: a URI of the IETF's draft on rate-limit headers. */
  readonly type: string;
  readonly title: string;
  /** The status of the response. 429: denied. 403: the address is on a list. 422: the cost never fits. 503: the limits cannot be checked, or the process is overloaded. */
  readonly status: 403 | 422 | 429 | 503;
  readonly detail: string;
  /** Seconds until the request is admitted, as in `Retry-After`. Left out where waiting does not help. */
  readonly 'retry-after'?: number;
  /** The names of the policies that deny, as in `RateLimit-Policy`. */
  readonly 'violated-policies'?: readonly string[];
}

const PROBLEM_TYPES = 'https://iana.org/assignments/http-problem-types#';

/** The problem of a request whose address the option `deny` has. */
export const listedProblem: Problem = Object.freeze({
  type: 'about:blank',
  title: 'Forbidden',
  status: 403,
  detail: 'Requests from this address are not accepted.',
});

/** What a gate knows of a denial beside its decision. */
export interface DenialFacts {
  /** Milliseconds until all limiters of the request admit it. @default that of the decision */
  readonly retryAfter?: number;
  /** Replaces the wait in `detail`, such as by the start of the next period of a calendar. */
  readonly told?: ToldDenial | undefined;
  /** Sentences behind that. */
  readonly added?: readonly string[];
}

/**
 * The problem of a denied request. It contains nothing that identifies a client.
 *
 * @param policies names of the policies that deny
 */
export function problemOf(
  decision: Decision,
  policies: readonly string[],
  { retryAfter = decision.retryAfter, told, added = [] }: DenialFacts = {},
): Problem {
  const reason = TieredDecision.isBanned(decision) ? 'banned' : decision.reason;
  const seconds = retryAfterOf({ retryAfter });
  const wait = seconds === undefined ? undefined : durationText(seconds);
  // Where no time ends a denial, what is told or added says what does.
  const own = told?.detail(wait) ?? (wait && `Too many requests. Retry in ${wait}.`);
  const detail = [own, ...added].filter(Boolean).join(' ');
  const denial = { seconds, detail, members: membersOf(told), policies: Object.freeze([...policies]) };
  return Object.freeze(describe(reason, denial));
}

/** The seconds that it tells by members of their own. */
function membersOf(told: ToldDenial | undefined): AppointedProblem | undefined {
  if (told?.members === undefined) return undefined;
  const all = Object.entries(told.members).map(([name, retryAfter]) => [name, retryAfterOf({ retryAfter })]);
  return Object.fromEntries(all) as AppointedProblem;
}

interface DescribedDenial {
  readonly seconds: number | undefined;
  readonly detail: string;
  readonly members: AppointedProblem | undefined;
  readonly policies: readonly string[];
}

function describe(
  reason: Decision['reason'] | 'banned',
  { seconds, detail, members, policies }: DescribedDenial,
): Problem {
  const wait = seconds === undefined ? {} : { 'retry-after': seconds };
  if (reason === 'unavailable' || reason === 'shed') {
    const cause = reason === 'shed' ? 'This service is overloaded' : 'The limits of this service cannot be checked';
    return {
      type: `${PROBLEM_TYPES}temporary-reduced-capacity`,
      title: 'Request cannot be satisfied due to temporary server capacity constraints',
      status: 503,
      detail: `${cause} at the moment. Retry in ${durationText(seconds)}.`,
      ...wait,
    };
  }
  if (reason === 'never') {
    return {
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'The request can never fit its limit. Retrying does not help.',
      'violated-policies': policies,
    };
  }
  if (reason === 'banned') {
    return {
      type: `${PROBLEM_TYPES}abnormal-usage-detected`,
      title: 'Request not satisfied due to detection of abnormal request pattern',
      status: 429,
      detail: `Too many denied requests. Retry in ${durationText(seconds)}.`,
      ...wait,
      'violated-policies': policies,
    };
  }
  return {
    type: `${PROBLEM_TYPES}quota-exceeded`,
    title: 'Request cannot be satisfied as assigned quota has been exceeded',
    status: 429,
    detail,
    ...wait,
    ...members,
    'violated-policies': policies,
  };
}

function durationText(seconds: number | undefined): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
