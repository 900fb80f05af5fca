import type { ServerResponse } from 'node:http';

import { parseList } from 'structured-headers';

/** A member of a list of RateLimit fields: what it is called, and its parameters. */
export interface Member {
  readonly name: string;
  readonly parameters: Readonly<Record<string, number>>;
}

/** What a client that reads structured fields has been told. */
export interface Told {
  readonly policies: readonly Member[];
  readonly limits: readonly Member[];
  readonly retryAfter: number | undefined;
}

/** @throws for what is no structured field, or not of the shape that the draft gives it */
export function toldBy(response: ServerResponse): Told {
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
    if (typeof name !== 'string') throw new TypeError(`${String(name)} is no string, in ${field}`);
    const entries = [...parameters].map(([key, value]) => {
      if (typeof value !== 'number') throw new TypeError(`${key} is no number, in ${field}`);
      return [key, value] as const;
    });
    return { name, parameters: Object.fromEntries(entries) };
  });
}

/** The parameters of a list as text, each with its semicolon and without the names, which may hold anything. */
export function parametersAsSent(response: ServerResponse, name: string): string[] {
  const outside = String(response.getHeader(name) ?? '').replaceAll(/"[^"]*"/g, '');
  return outside.split(', ').flatMap((member) => member.split(/(?=;)/));
}
