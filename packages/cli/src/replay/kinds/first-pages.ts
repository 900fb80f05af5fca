import type { LoggedRequest } from '../../logs/lines/logged-request.js';
import { hashOf } from '../../logs/lines/span.js';
import { copyOf } from './copy-of.js';
import { FirstFew } from './first-few.js';

/** A monitor asks for fewer paths. */
export const FEW_PATHS = 4;
/** Clients choose paths. */
const MOST_TEXTS = 2 ** 12;

/** The first few different paths of clients, as numbers, and the texts of the first ones. */
export class FirstPages {
  readonly #paths = new FirstFew(FEW_PATHS);
  readonly #texts = new Map<number, string>();

  add(client: number, request: LoggedRequest): void {
    if (this.#paths.isFull(client)) return;
    // Of 30 bits: V8 keeps such numbers in place.
    const page = hashOf(request.pathBytes) >>> 2;
    if (this.#paths.sizeOf(client) === 0 && this.#texts.size < MOST_TEXTS && !this.#texts.has(page))
      this.#texts.set(page, copyOf(request.path));
    this.#paths.add(client, page);
  }

  /** How many different ones. */
  countOf(client: number): number {
    return this.#paths.sizeOf(client);
  }

  firstOf(client: number): number {
    return this.#paths.firstOf(client);
  }

  /** Empty for the first path of a client where there are too many. */
  textOf(page: number): string {
    return this.#texts.get(page) ?? '';
  }
}
