import type { ServerResponse } from 'node:http';

import { parseList } from 'structured-headers';

/** A member of a list of RateLimit fields. */
export interface Member {
  readonly name: string;
  readonly parameters: Readonly<Record<string, number>>;
}

/** The headers of a response as a parser of structured fields reads them. */
export interface Reported {
  readonly policies: readonly Member[];
  readonly limits: readonly Member[];
  readonly retryAfter: number | undefined;
}

/** @throws TypeError for fields that do not have the form of the draft */
export function reportedBy(response: ServerResponse): Reported {
  const retryAfter = response.getHeader('Retry-After');
  return {
    policies: members(response.getHeader('RateLimit-Policy')),
    limits: members(response.getHeader('RateLimit')),
    retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
  };
}

function members(field: unknown): Member[] {
  if (typeof field !== 'string') return [];
  return parseList(field).map(([name, parameters]) => {
    if (typeof name !== 'string') throw new TypeError(`${String(name)} is not a string, in ${field}`);
    const entries = [...parameters].map(([key, value]) => {
      if (typeof value !== 'number') throw new TypeError(`${key} is not a number, in ${field}`);
      return [key, value] as const;
    });
    return { name, parameters: Object.fromEntries(entries) };
  });
}

/** The parameters of a list as text, each with its semicolon. Names are left out, because they can hold any text. */
export function parametersAsSent(response: ServerResponse, name: string): string[] {
  const outside = String(response.getHeader(name) ?? '').replaceAll(/"[^"]*"/g, '');
  return outside.split(', ').flatMap((member) => member.split(/(?=;)/));
}
