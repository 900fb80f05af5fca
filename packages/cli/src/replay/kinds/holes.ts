import type { LoggedRequest } from '../../logs/lines/logged-request.js';
import { Columns } from './columns.js';
import { copyOf } from './copy-of.js';
import { knownHoleOf } from './known-hole.js';

/** With so many requests for known holes a client is a scanner, so that more need not be counted. */
export const MANY_HOLES = 10;

/** Requests for known holes, by client. */
export class Holes {
  readonly #columns = new Columns(['holes']);
  /** The first one that a client has asked for. */
  readonly #first = new Map<number, string>();

  /** Looks at a failed request. */
  add(client: number, request: LoggedRequest): void {
    const { holes } = this.#columns.upTo(client).columns;
    if (holes[client]! >= MANY_HOLES) return;
    const hole = knownHoleOf(request);
    if (hole === undefined) return;
    holes[client]! += 1;
    if (holes[client] === 1) this.#first.set(client, copyOf(hole));
  }

  countOf(client: number): number {
    return this.#columns.upTo(client).columns.holes[client]!;
  }

  /** Empty for a client without one. */
  firstOf(client: number): string {
    return this.#first.get(client) ?? '';
  }
}
