import type { ClosingResponse } from '../request/on-close.js';
import type { GateResponse } from '../request/response.js';
import type { WebHeaders } from './web-headers.js';

/** Where a gate learns that a response has ended: Node's response below, or the body of a web-standard one. */
export type WebEnding = Pick<GateResponse, 'statusCode'> & ClosingResponse;

/** A response that does not exist yet, as a gate sees it: it takes headers, and tells its end. */
export class WebResponse implements GateResponse {
  // The application answers by returning a response, so nothing is sent before.
  readonly headersSent = false;
  readonly writableEnded = false;
  readonly #headers: WebHeaders;
  readonly #ending: () => WebEnding;

  /** @param ending is called only if something waits for the end */
  constructor(headers: WebHeaders, ending: () => WebEnding) {
    this.#headers = headers;
    this.#ending = ending;
  }

  get statusCode(): number {
    return this.#ending().statusCode;
  }

  get destroyed(): boolean {
    return this.#ending().destroyed === true;
  }

  /** Over HTTP/2. */
  get stream(): ClosingResponse['stream'] {
    return this.#ending().stream;
  }

  getHeader(name: string): string | undefined {
    return this.#headers.get(name);
  }

  setHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  end(): void {
    // A gate ends responses that have begun.
  }

  once(event: 'close' | 'finish', listener: () => void): void {
    this.#ending().once(event, listener);
  }
}

/** The status that nginx logs for a client that has left. No client receives it. */
export const CLIENT_HAS_LEFT = 499;
