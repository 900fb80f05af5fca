import { parseList, type Item } from 'structured-headers';
import type { TestResponse } from './site.js';

/** A member of one of the lists of the draft: its name and its parameters. */
export interface Member {
  readonly name: unknown;
  readonly [parameter: string]: unknown;
}

/** The members of a list field, read by a parser of structured fields; none without the field. */
export function membersOf({ headers }: TestResponse, field: 'ratelimit' | 'ratelimit-policy'): readonly Member[] {
  return parseList(headers[field] ?? '').map((member) => {
    const [name, parameters] = member as Item;
    return { name, ...Object.fromEntries(parameters) };
  });
}

/** All fields about limits, by their names in lower case. `Retry-After` is one of them. */
export function limitFields({ headers, trailers }: Pick<TestResponse, 'headers' | 'trailers'>): Record<string, string> {
  const all = Object.entries({ ...headers, ...trailers });
  return Object.fromEntries(
    all
      .filter(([name]) => /^(?:x-)?ratelimit|^retry-after(?:-ms)?$/.test(name))
      .map(([name, value]) => [name, String(value)]),
  );
}

export function statusesOf(responses: readonly TestResponse[]): number[] {
  return responses.map(({ status }) => status);
}

/** `X-RateLimit-Remaining` of each response. */
export function remainingOf(responses: readonly TestResponse[]): (number | undefined)[] {
  return responses.map(({ headers }) => {
    const { 'x-ratelimit-remaining': remaining } = headers;
    return remaining === undefined ? undefined : Number(remaining);
  });
}

/** The names of the policies that deny, by the problem body. */
export function violatedPolicies({ text }: TestResponse): unknown {
  return (JSON.parse(text) as Record<string, unknown>)['violated-policies'];
}
