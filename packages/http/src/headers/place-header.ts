/** Tells a denied client the place in line that is kept for it, which it sends back. */
export const PLACE = 'sluice-place';

const TEXT = /^"([\w.-]{1,96})"$/;

/** The place that a request brings; true for one that asks for a place by `?1`. Undefined without one. */
export function placeIn(header: string | readonly string[] | undefined): string | true | undefined {
  if (typeof header !== 'string') return undefined;
  return header === '?1' || (TEXT.exec(header)?.[1] ?? undefined);
}

export function placeText(place: string): string {
  return `"${place}"`;
}
