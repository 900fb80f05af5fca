import type { ClosingResponse } from '../request/on-close.js';
import type { ProxyTrust } from '../request/proxy-check.js';
import type { GateResponse } from '../request/response.js';

/** The members of a Fastify reply that are used here. */
export interface FastifyReplyLike {
  readonly raw: GateResponse;
  readonly sent: boolean;
  getHeader(name: string): number | string | readonly string[] | undefined;
  header(name: string, value: string): unknown;
}

/** A Fastify reply as a gate uses it: headers go through Fastify, everything else to Node's response. */
export class FastifyResponse implements GateResponse {
  readonly #reply: FastifyReplyLike;

  constructor(reply: FastifyReplyLike) {
    this.#reply = reply;
  }

  get statusCode(): number {
    return this.#reply.raw.statusCode;
  }

  /** A hijacked reply belongs to the application, and its headers too. */
  get headersSent(): boolean {
    return this.#reply.raw.headersSent || this.#reply.sent;
  }

  get writableEnded(): boolean {
    return this.#reply.sent;
  }

  get destroyed(): boolean {
    const { raw } = this.#reply;
    // Over HTTP/2 only the stream tells an abort from a normal end.
    return raw.destroyed === true || (raw as { stream?: { aborted: boolean } }).stream?.aborted === true;
  }

  /** Over HTTP/2. */
  get stream(): ClosingResponse['stream'] {
    return (this.#reply.raw as ClosingResponse).stream;
  }

  getHeader(name: string): number | string | readonly string[] | undefined {
    return this.#reply.getHeader(name);
  }

  setHeader(name: string, value: string): void {
    this.#reply.header(name, value);
  }

  end(): void {
    this.#reply.raw.end();
  }

  once(event: 'close' | 'finish', listener: () => void): void {
    this.#reply.raw.once(event, listener);
  }
}

const trustByServer = new WeakMap<object, ProxyTrust>();

/** The option `trustProxy` of a Fastify instance. */
export function fastifyTrust(server: object): ProxyTrust {
  const cached = trustByServer.get(server);
  if (cached) return cached;
  const trust = trustIn(optionsOf(server), server);
  trustByServer.set(server, trust);
  return trust;
}

function trustIn(options: { trustProxy?: unknown } | undefined, server: { version?: unknown }): ProxyTrust {
  // Without options there is nothing to warn of.
  if (options === undefined) return 'some';
  const { trustProxy } = options;
  if (trustProxy === true) return 'all';
  if (!trustProxy) return 'none';
  return typeof trustProxy === 'number' && ignoresHops(server) ? 'ignored' : 'some';
}

/** Fastify ignores a number of hops since 5.12.1, because clients that reach the application directly can forge them. */
function ignoresHops({ version }: { version?: unknown }): boolean {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(String(version)) ?? [];
  return major === undefined || Number(major) * 1e6 + Number(minor) * 1e3 + Number(patch) >= 5_012_001;
}

/** Fastify has no public access to its options. An instance of a plugin inherits them. */
function optionsOf(server: object): { trustProxy?: unknown } | undefined {
  for (let object = server; object !== null; object = Object.getPrototypeOf(object) as object) {
    const symbol = Object.getOwnPropertySymbols(object).find(({ description }) => description === 'fastify.options');
    if (symbol) return (object as Record<symbol, { trustProxy?: unknown }>)[symbol];
  }
  return undefined;
}
