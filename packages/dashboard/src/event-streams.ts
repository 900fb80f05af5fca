import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { HttpFailure } from './http-failure.js';

/** Pages that one process serves at the same time. */
const MAX_STREAMS = 10;
/** A page that reads more slowly misses events: each tick has totals, so the next one puts it right. */
const MAX_UNSENT = 65_536;
/** Then a page connects again, so that its rights are those of now. In milliseconds. */
const MAX_AGE = 60_000;

/** Open pages. All get the same texts, which are made once. */
export class EventStreams {
  /** When each was opened. */
  readonly #openedAt = new Map<ServerResponse, number>();
  readonly #clock: () => number;
  readonly #onChange: (size: number) => void;
  #isClosed = false;

  /**
   * @param clock monotonic milliseconds
   * @param onChange called with the number of open pages when it changes
   */
  constructor(clock: () => number, onChange: (size: number) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** @throws HttpFailure 503 while as many are open as may be, and after `close` */
  open(response: ServerResponse): void {
    // The page may have left while `authorize` was pending: no event tells of it again.
    if (hasLeft(response)) return;
    if (this.#isClosed) throw new HttpFailure(503, 'this process is about to end');
    if (this.#openedAt.size >= MAX_STREAMS) {
      throw new HttpFailure(503, `${MAX_STREAMS} pages are open on this process: close one`);
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    this.#openedAt.set(response, this.#clock());
    this.#onChange(this.#openedAt.size);
    response.once('close', () => this.#remove(response));
    // Without a listener an error ends the process, and a page that has left needs no event.
    response.on('error', () => this.#remove(response));
  }

  /** @param id of the event, for a page that connects again */
  send(name: string, data: object, id?: number): void {
    this.#removeLeft();
    if (this.#openedAt.size === 0) return;
    const text = `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
    for (const response of this.#openedAt.keys()) if (response.writableLength <= MAX_UNSENT) response.write(text);
  }

  /** Ends pages that have been open for a minute, and has them connect again. */
  renew(): void {
    const now = this.#clock();
    for (const [response, openedAt] of this.#openedAt) {
      if (now - openedAt < MAX_AGE) continue;
      response.end('event: renew\ndata: {}\n\n');
      this.#remove(response);
    }
  }

  /** A page that connects again would keep the server from ending. */
  close(): void {
    this.#isClosed = true;
    for (const response of this.#openedAt.keys()) {
      response.end();
      this.#remove(response);
    }
  }

  /** A response behind another one of its connection gets no event of its end. */
  #removeLeft(): void {
    for (const response of this.#openedAt.keys()) if (hasLeft(response)) this.#remove(response);
  }

  #remove(response: ServerResponse): void {
    if (this.#openedAt.delete(response)) this.#onChange(this.#openedAt.size);
  }
}

/** A response of HTTP/2 says it by its stream. */
function hasLeft(response: ServerResponse): boolean {
  const { stream } = response as unknown as Partial<Http2ServerResponse>;
  if (stream) return stream.destroyed || stream.closed;
  return response.destroyed || response.req?.socket?.destroyed;
}
