import type { ConsumeOptions, Decision } from '@sluice/core/internal';
import type { HttpRequest } from '../request/request.js';
import type { GateResponse } from '../request/response.js';

/** Tells a denied client the place in line that is kept for it, which it sends back. */
const PLACE = 'sluice-place';

const TEXT = /^"([\w.-]{1,96})"$/;

/** What a request brings of the denial before: a place, or true for one that asks for a place by `?1`. */
export function broughtIn({ headers }: HttpRequest): Pick<ConsumeOptions, 'place'> | undefined {
  const header = headers?.[PLACE];
  if (header === undefined) return undefined;
  if (typeof header !== 'string') return { place: undefined };
  return { place: header === '?1' || (TEXT.exec(header)?.[1] ?? undefined) };
}

/** @returns the name of the header, for a denial that has one */
export function writePlace({ place }: Decision, response: GateResponse): string | undefined {
  if (place === undefined) return undefined;
  response.setHeader(PLACE, `"${place}"`);
  return 'Sluice-Place';
}
