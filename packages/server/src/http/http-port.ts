// http/ serves the service over HTTP and JSON: /check, and what corrects decisions by their receipts. Requests of HTTP
// enter, and decisions leave. It imports rules, deciding, receipts and access.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { isSluiceError } from '@sluice/core';
import type { Access } from '../access/access.js';
import { listening } from '../access/listening.js';
import { secureContextOf, type TlsFiles } from '../access/tls-files.js';
import { UnfitRequest } from '../deciding/round.js';
import { ServedResponse } from '../deciding/served-response.js';
import type { Service } from '../deciding/service.js';
import { InvalidReceipt } from '../receipts/receipt.js';
import { openApi } from './open-api.js';
import { BodyProblem, readJson } from './read-json.js';
import { type Reply, ROUTES, unknownRoute } from './routes.js';

export interface HttpPortContext {
  readonly service: Service;
  readonly access: Access;
  readonly tls: TlsFiles | undefined;
  /** Is told the status of each call. */
  readonly onCall: (status: number) => void;
  readonly onFailure: (error: unknown) => void;
  readonly bounds: {
    readonly bytes: number;
    readonly connections: number;
    /** Milliseconds in which a request must have come. */
    readonly timeout: number;
  };
}

/** The program that has asked no longer waits. */
const GONE = 499;
/** How often Node looks for requests that take too long. */
const LOOK_MS = 1_000;

/** The port of HTTP. */
export class HttpPort {
  readonly #context: HttpPortContext;
  readonly #server: Server;
  #isClosing = false;

  constructor(context: HttpPortContext) {
    const { bounds, tls } = context;
    this.#context = context;
    const options = {
      headersTimeout: bounds.timeout,
      requestTimeout: bounds.timeout,
      connectionsCheckingInterval: Math.min(LOOK_MS, bounds.timeout),
      keepAliveTimeout: 60_000,
      maxHeaderSize: 16_384,
      noDelay: true,
    };
    const listener = (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response);
    this.#server =
      tls === undefined
        ? createServer(options, listener)
        : createTlsServer(
            {
              ...options,
              ...secureContextOf(tls),
              requestCert: tls.clientCa !== undefined,
              handshakeTimeout: bounds.timeout,
            },
            listener,
          );
    this.#server.maxConnections = bounds.connections;
  }

  /** @returns the port that was taken */
  listen(port: number, host: string): Promise<number> {
    return listening(this.#server, port, host);
  }

  /** Connections from now on have these certificates. Only of a port that had some. */
  secure(tls: TlsFiles): void {
    (this.#server as TlsServer).setSecureContext(secureContextOf(tls));
  }

  /** Takes no new connection, and ends the others when their requests have been answered. @param grace in milliseconds */
  async close(grace: number): Promise<void> {
    this.#isClosing = true;
    const ended = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const alarm = setTimeout(() => this.#server.closeAllConnections(), grace).unref();
    await ended;
    clearTimeout(alarm);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { onCall, onFailure } = this.#context;
    try {
      const reply = await this.#reply(request, response).catch(replyOf);
      onCall(reply === undefined || response.destroyed ? GONE : reply.status);
      if (reply === undefined || response.destroyed) return;
      if (reply.status === 500) onFailure(reply.cause);
      for (const [name, value] of reply.headers) response.setHeader(name, value);
      if (this.#isClosing) response.setHeader('connection', 'close');
      const text = JSON.stringify(reply.body);
      const type = `${reply.contentType}; charset=utf-8`;
      response.writeHead(reply.status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
    } catch (error) {
      onFailure(error);
      response.destroy();
    }
  }

  async #reply(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<(Reply & { readonly cause?: unknown }) | undefined> {
    const { service, access, bounds } = this.#context;
    const [path] = (request.url ?? '/').split('?', 1);
    if (`${request.method} ${path}` === 'GET /openapi.json') {
      return { status: 200, contentType: 'application/json', headers: [], body: openApi() };
    }
    if (!access.admits(request.headers.authorization))
      return problemOf(401, 'the request needs the token of the service: authorization: Bearer TOKEN');
    const route = ROUTES[`${request.method} ${path}`];
    if (route === undefined) throw new BodyProblem(404, unknownRoute(`${request.method} ${path}`).message);
    const body = await readJson(request, bounds.bytes);
    const served = new ServedResponse();
    // Its client may have gone while the body was read.
    if (response.destroyed) return undefined;
    response.once('close', () => {
      if (!response.writableFinished) served.close();
    });
    return route.answer({ body, service, response: served });
  }
}

/** The reply to a request that has failed. */
function replyOf(error: unknown): Reply & { readonly cause?: unknown } {
  if (error instanceof BodyProblem) return problemOf(error.status, error.message);
  if (error instanceof UnfitRequest) return problemOf(400, error.message);
  if (error instanceof InvalidReceipt) return problemOf(400, error.message);
  if (isSluiceError(error)) {
    const { cause } = error;
    if (error.name === 'StoreError') return problemOf(503, error.message);
    return problemOf(400, cause instanceof Error && isSluiceError(cause) ? cause.message : error.message);
  }
  return { ...problemOf(500, 'the service has failed: its log says why'), cause: error };
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function problemOf(status: number, detail: string): Reply {
  const headers = [['cache-control', 'no-store'] as const];
  const body = { type: 'about:blank', title: TITLES[status]!, status, detail };
  return { status, contentType: 'application/problem+json', headers, body };
}
