import Negotiator from 'negotiator';

import type { Problem } from './problem.js';

/** What is sent: text, and what it is. */
export interface Body {
  readonly contentType: string;
  readonly text: string;
}

const PROBLEM = 'application/problem+json';

/** Nobody's preferences are longer, and reading what a client makes longer is work that it can order. */
const LONGEST = 512;

/** In our order of preference, with the charset that they have, for some clients ask for it. */
const OFFERED = [PROBLEM, 'application/json', 'text/plain'].map((type) => `${type}; charset=utf-8`);

/** A problem as JSON, or as text for clients that accept only that. */
export function problemBody(problem: Problem, accept: string | undefined): Body {
  const contentType = accepted(accept);
  const text = contentType === 'text/plain' ? `${problem.title}. ${problem.detail}\n` : problemText(problem);
  return { contentType, text };
}

const texts = new WeakMap<Problem, string>();

/** As JSON: to serialise a problem takes as long as to decide, and most come again. */
function problemText(problem: Problem): string {
  const known = texts.get(problem);
  if (known !== undefined) return known;
  const text = JSON.stringify(problem);
  texts.set(problem, text);
  return text;
}

/** A body that the application has chosen: text as text, anything else as JSON. */
export function ownBody(value: unknown): Body {
  if (value === undefined) return { contentType: 'text/plain', text: '' };
  if (typeof value === 'string') return { contentType: 'text/plain', text: value };
  const { type, status } = Object(value) as Partial<Problem>;
  const isProblem = typeof type === 'string' && typeof status === 'number';
  return { contentType: isProblem ? PROBLEM : 'application/json', text: JSON.stringify(value) ?? '' };
}

function accepted(accept: string | undefined): string {
  // Nearly all clients accept anything.
  if (accept === undefined || accept === '*/*' || accept.length > LONGEST) return PROBLEM;
  const takes = new Negotiator({ headers: { accept } }).mediaTypes(OFFERED);
  const [type = PROBLEM] = (OFFERED.find((each) => takes.includes(each)) ?? PROBLEM).split(';', 1);
  return type;
}
