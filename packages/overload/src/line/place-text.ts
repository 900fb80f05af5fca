import { timingSafeEqual } from 'node:crypto';
import type { Claim } from '@sluice/core/internal';

/** A place as a text that only its limiter can have made: its time and cost, and a digest of both with the tier and the key. */
export type DigestOf = (text: string) => string;

/** @param place microseconds since 1970 */
export function sealedPlace({ tier, key, cost }: Claim, place: number, digestOf: DigestOf): string {
  return `${place.toString(36)}.${digestOf([tier, key, cost, place].join('\n'))}`;
}

const TEXT = /^([\da-z]{1,11})\.([\w-]{1,64})$/;

/** The time of a place, in microseconds since 1970. 0 for a text that the limiter has not made for such a request. */
export function openedPlace(claim: Claim, text: string, digestOf: DigestOf): number {
  const parts = TEXT.exec(text);
  if (parts === null) return 0;
  const place = Number.parseInt(parts[1]!, 36);
  if (!Number.isSafeInteger(place)) return 0;
  return isSame(sealedPlace(claim, place, digestOf), text) ? place : 0;
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
