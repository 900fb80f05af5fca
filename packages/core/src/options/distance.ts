import type * as Levenshtein from 'fastest-levenshtein';

/** The letters that have to change until one text is the other. The first message about a mistake loads what counts them. */
export function distance(one: string, other: string): number {
  const levenshtein = require('fastest-levenshtein') as typeof Levenshtein;
  return levenshtein.distance(one, other);
}
