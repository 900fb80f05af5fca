import type { LoggedRequest } from '../lines/logged-request.js';

/** Requests that run at the same time. */
const MAX_OPEN = 16_384;

/** A request that waits for the line of its answer. */
export interface OpenRequest extends LoggedRequest {
  /** Reads the status in another line than the client. */
  readonly answer: (line: object) => void;
}

/** Requests with the client in the line of their arrival and the status in that of their answer, as Fastify logs them. */
export class OpenRequests {
  readonly #byId = new Map<string, OpenRequest>();

  /** Returns a request that is not answered any more: its id came again, or too many others have come since. */
  add(id: string, request: OpenRequest): LoggedRequest | undefined {
    const earlier = this.#byId.get(id) ?? (this.#byId.size === MAX_OPEN ? this.#oldest() : undefined);
    // At the end of the order, also where the id came again.
    this.#byId.delete(id);
    this.#byId.set(id, request);
    return earlier;
  }

  /** Returns the request that a line answers. */
  close(id: string, line: object): LoggedRequest | undefined {
    const request = this.#byId.get(id);
    this.#byId.delete(id);
    request?.answer(line);
    return request;
  }

  /** Requests whose answer the log does not have. */
  rest(): readonly LoggedRequest[] {
    return [...this.#byId.values()];
  }

  #oldest(): LoggedRequest {
    const [oldest] = this.#byId;
    const [id, request] = oldest!;
    this.#byId.delete(id);
    return request;
  }
}
