import type { GateResponse } from '../http/response.js';

/** What a gate uses of a reply of Fastify, which NestJS may run on as well. */
export interface FastifyReplyLike {
  readonly raw: GateResponse;
  readonly sent: boolean;
  getHeader(name: string): number | string | readonly string[] | undefined;
  header(name: string, value: string): unknown;
}

const names: string[] = [];
const lowerCases: string[] = [];

/** Fastify looks headers up in lower case. A gate has few names, and to inspect through them is faster than a Map. */
function inLowerCase(name: string): string {
  for (let index = 0; index < names.length; index += 1) if (names[index] === name) return lowerCases[index]!;
  const lower = name.toLowerCase();
  names.push(name);
  lowerCases.push(lower);
  return lower;
}

/** A reply as a gate sees it: headers go the way of Fastify, and life is that of Node's response. */
export class ReplyResponse implements GateResponse {
  readonly #reply: FastifyReplyLike;

  constructor(reply: FastifyReplyLike) {
    this.#reply = reply;
  }

  get statusCode(): number {
    return this.#reply.raw.statusCode;
  }

  /** A reply that was hijacked is somebody else's, and its headers are. */
  get headersSent(): boolean {
    return this.#reply.raw.headersSent || this.#reply.sent;
  }

  get writableEnded(): boolean {
    return this.#reply.sent;
  }

  get destroyed(): boolean {
    const { raw } = this.#reply;
    // Over HTTP/2 only the stream says so, which is destroyed at every end.
    return raw.destroyed === true || (raw as { stream?: { aborted: boolean } }).stream?.aborted === true;
  }

  getHeader(name: string): number | string | readonly string[] | undefined {
    return this.#reply.getHeader(name);
  }

  setHeader(name: string, value: string): void {
    this.#reply.header(inLowerCase(name), value);
  }

  end(): void {
    this.#reply.raw.end();
  }

  once(event: 'close' | 'finish', listener: () => void): void {
    this.#reply.raw.once(event, listener);
  }

  off(event: 'close' | 'finish', listener: () => void): void {
    this.#reply.raw.off(event, listener);
  }
}
