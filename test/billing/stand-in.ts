import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request. `cut`: the service stores it, and the connection ends before the answer. */
export type Fate = 'works' | 'fails' | 'busy' | 'cut';

/** What a stand-in answers to a request. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StandInRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A billing service on a port of this machine. */
export class StandIn {
  url = '';
  /** Requests so far, which have a body. */
  requests = 0;
  /** The fate of each request with a body. */
  fate: (request: number) => Fate = () => 'works';
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #answer: (request: StandInRequest) => Reply;
  readonly #busy: Reply;

  /** @param busy what it answers to too many requests */
  constructor(answer: (request: StandInRequest) => Reply, busy: Reply) {
    this.#answer = answer;
    this.#busy = busy;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += String(part);
    const { method = '', url: path = '', headers } = request;
    const fate = method === 'POST' ? this.fate((this.requests += 1)) : 'works';
    if (fate === 'fails') return void response.writeHead(500).end('{"error":{"message":"an internal error"}}');
    const reply = fate === 'busy' ? this.#busy : this.#answer({ method, path, headers, body });
    if (fate === 'cut') return void request.socket.destroy();
    const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(text);
  }
}
