// The package as a whole has four more parsers, which a bundle would contain.
// @ts-expect-error -- its parts have no declarations
import mediaTypes from 'negotiator/lib/mediaType.js';
import { kindOf, type MaybePromise, UsageError } from '@sluice/core/internal';
import type { Problem, SerializedProblem } from './problem.js';

/** The body of a response, and its media type. */
export interface Body {
  readonly contentType: string;
  readonly text: string;
}

/** The offered types that an `Accept` header takes, the preferred ones first. */
const preferred = mediaTypes as (accept: string, offered: readonly string[]) => readonly string[];

const PROBLEM_JSON = 'application/problem+json';

/** Longer `Accept` headers are ignored, because a client could make the server parse them. */
const MAX_ACCEPT_LENGTH = 512;

/** In order of preference, with a charset, because some clients ask for it. */
const OFFERED = [PROBLEM_JSON, 'application/json', 'text/plain'].map((type) => `${type}; charset=utf-8`);

/** A problem as JSON, or as text for clients that accept only text. */
export function problemBody({ problem, json }: SerializedProblem, accept: string | undefined): Body {
  const contentType = acceptedType(accept);
  const text = contentType === 'text/plain' ? `${problem.title}. ${problem.detail}\n` : json;
  return { contentType, text };
}

/**
 * The body that the application has chosen: a string or its bytes as they are, anything else as JSON. Rejects with
 * UsageError for a value that JSON cannot hold.
 */
export function ownBody(value: unknown): MaybePromise<Body> {
  if (value === undefined) return { contentType: 'text/plain', text: '' };
  if (typeof value === 'string') return { contentType: 'text/plain', text: value };
  if (value instanceof Uint8Array) return { contentType: 'text/plain', text: new TextDecoder().decode(value) };
  const { type, status } = Object(value) as Partial<Problem>;
  const isProblem = typeof type === 'string' && typeof status === 'number';
  try {
    return { contentType: isProblem ? PROBLEM_JSON : 'application/json', text: JSON.stringify(value) ?? '' };
  } catch (cause) {
    const rule = `must return a value that JSON can hold, without cycles and BigInt, got ${kindOf(value)}`;
    return Promise.reject(new UsageError('FUNCTION_FAILED', `rateLimit: the function body ${rule}`, { cause }));
  }
}

function acceptedType(accept: string | undefined): string {
  if (accept === undefined || accept === '*/*' || accept.length > MAX_ACCEPT_LENGTH) return PROBLEM_JSON;
  const accepted = preferred(accept, OFFERED);
  const [type = PROBLEM_JSON] = (OFFERED.find((each) => accepted.includes(each)) ?? PROBLEM_JSON).split(';', 1);
  return type;
}
