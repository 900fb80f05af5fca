import { kindOf, type MaybePromise, UsageError } from '@sluice/core/internal';
import { acceptedType } from './accepted-type.js';
import type { Problem } from './problem.js';

/** The body of a response, and its media type. */
export interface Body {
  readonly contentType: string;
  readonly text: string;
}

const PROBLEM_JSON = 'application/problem+json';

/** Longer `Accept` headers are ignored, because a client could make the server parse them. */
const MAX_ACCEPT_LENGTH = 512;

/** In order of preference. */
const OFFERED = [PROBLEM_JSON, 'application/json', 'text/plain'];

/** A problem as JSON, or as text for clients that accept only text. */
export function problemBody(problem: Problem, accept: string | undefined): Body {
  const contentType = typeFor(accept);
  const text = contentType === 'text/plain' ? `${problem.title}. ${problem.detail}\n` : JSON.stringify(problem);
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

function typeFor(accept: string | undefined): string {
  if (accept === undefined || accept === '*/*' || accept.length > MAX_ACCEPT_LENGTH) return PROBLEM_JSON;
  return acceptedType(accept, OFFERED) ?? PROBLEM_JSON;
}
