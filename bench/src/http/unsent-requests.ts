import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { clients } from './http-contestant.js';

/** Requests of one turn of the event loop. */
const TOGETHER = 16;

/** How many requests were answered, and how many of them with another status than 200. */
export interface UnsentAnswers {
  readonly answered: number;
  readonly refused: number;
}

/** Requests that a server answers without a connection: Node neither parses them nor writes to a socket. */
export class UnsentRequests {
  readonly #server: Server;
  readonly #sockets: readonly Socket[] = clients.map((_, index) => socketOf(`10.0.${index >> 8}.${index & 255}`));
  #sent = 0;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Sends requests for so long. */
  async sendFor(milliseconds: number): Promise<UnsentAnswers> {
    const end = performance.now() + milliseconds;
    return this.#sendWhile(() => performance.now() < end);
  }

  /** Sends so many requests, or a few more. */
  async send(requests: number): Promise<UnsentAnswers> {
    const last = this.#sent + requests;
    return this.#sendWhile(() => this.#sent < last);
  }

  async #sendWhile(goesOn: () => boolean): Promise<UnsentAnswers> {
    let answered = 0;
    let refused = 0;
    while (goesOn()) {
      const responses = Array.from({ length: TOGETHER }, () => this.#sendOne());
      await nextTurn();
      for (const { writableEnded, statusCode } of responses) {
        if (writableEnded) answered += 1;
        if (statusCode !== 200) refused += 1;
      }
    }
    return { answered, refused };
  }

  #sendOne(): ServerResponse {
    const request = new IncomingMessage(this.#sockets[this.#sent % this.#sockets.length]!);
    this.#sent += 1;
    Object.assign(request, { method: 'GET', url: '/', httpVersionMajor: 1, httpVersionMinor: 1, httpVersion: '1.1' });
    request.headers = { host: 'localhost' };
    const response = new ServerResponse(request);
    this.#server.emit('request', request, response);
    return response;
  }
}

function socketOf(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}
