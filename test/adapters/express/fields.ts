import { parseList, type Item } from 'structured-headers';
import type { Answer } from './site.js';

/** A member of one of the lists of the draft: its name and its parameters. */
export interface Member {
  readonly name: unknown;
  readonly [parameter: string]: unknown;
}

/** The members of a list field as a parser of structured fields reads them; none where the field is not there. */
export function membersOf({ headers }: Answer, field: 'ratelimit' | 'ratelimit-policy'): readonly Member[] {
  return parseList(headers[field] ?? '').map((member) => {
    const [name, parameters] = member as Item;
    return { name, ...Object.fromEntries(parameters) };
  });
}

/** All fields that say something about limits, by their names in lower case; `Retry-After` is one of them. */
export function limitFields({ headers, trailers }: Pick<Answer, 'headers' | 'trailers'>): Record<string, string> {
  const all = Object.entries({ ...headers, ...trailers });
  return Object.fromEntries(
    all.filter(([name]) => /^(?:x-)?ratelimit|^retry-after$/.test(name)).map(([name, value]) => [name, String(value)]),
  );
}

/** The statuses of answers, in their order. */
export function statusesOf(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status);
}
