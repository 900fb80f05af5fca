import { distance } from './distance.js';

/** The most similar known name, if a misspelling or a missing end explains the difference. */
export function nearest<T>(given: unknown, known: readonly T[]): T | undefined {
  if (typeof given !== 'string') return undefined;
  const text = given.toLowerCase();
  const far = (each: T) => distance(text, String(each).toLowerCase());
  const [first] = known.toSorted((one, other) => far(one) - far(other));
  if (first !== undefined && far(first) <= Math.ceil(text.length / 3)) return first;
  return text.length >= 3 ? known.find((each) => String(each).toLowerCase().startsWith(text)) : undefined;
}
