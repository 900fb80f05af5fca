import type { Client } from './client.js';
import type { Selection } from './selection.js';

interface Windows {
  readonly selection: Selection;
  /** Undefined where no shorter one is limited. */
  readonly shorter?: { readonly window: number } | undefined;
}

/**
 * The people who tell what a window needs, because they send more in it than in a shorter one, or more than one request:
 * of a visit of a minute, an hour has no more than its minute, and most people make one visit.
 */
export function stayersOf(
  people: readonly Client[],
  { selection, shorter }: Windows,
  window: number,
): readonly Client[] {
  const least = (client: Client) => (shorter === undefined ? 1 : selection.mostIn(shorter.window, client));
  return people.filter((client) => selection.mostIn(window, client) > least(client));
}
