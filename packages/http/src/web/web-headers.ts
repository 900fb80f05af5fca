import { exposeHeaders } from '../headers/expose-headers.js';
import type { StandardHeaders } from './web-standards.js';

const EXPOSE_HEADERS = 'access-control-expose-headers';

/** The headers that gates have set for a response that does not exist yet. */
export class WebHeaders {
  readonly #values = new Map<string, string>();

  /** Names in lower case, and values. */
  get pairs(): readonly (readonly [name: string, value: string])[] {
    return [...this.#values];
  }

  get(name: string): string | undefined {
    return this.#values.get(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }

  /** Adds them to the headers of a response. Names that the application exposes stay exposed. */
  applyTo(headers: StandardHeaders): void {
    for (const [name, value] of this.#values) {
      if (name === EXPOSE_HEADERS) exposeHeaders(asNode(headers), value.split(', '));
      else headers.set(name, value);
    }
  }
}

function asNode(headers: StandardHeaders): Parameters<typeof exposeHeaders>[0] {
  return {
    getHeader: (name) => headers.get(name) ?? undefined,
    setHeader: (name, value) => headers.set(name, value),
  };
}
