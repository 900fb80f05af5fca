import type { ServerResponse } from 'node:http';
import { HttpFailure } from './http-failure.js';

/** Pages that one process serves at the same time. */
const MAX_STREAMS = 10;
/** A page that reads more slowly misses events: each tick has totals, so the next one puts it right. */
const MAX_UNSENT = 65_536;

/** Open pages. All get the same texts, which are made once. */
export class EventStreams {
  readonly #responses = new Set<ServerResponse>();
  readonly #onChange: (size: number) => void;
  #isClosed = false;

  /** @param onChange called with the number of open pages when it changes */
  constructor(onChange: (size: number) => void) {
    this.#onChange = onChange;
  }

  /** @throws HttpFailure 503 while as many are open as may be, and after `close` */
  open(response: ServerResponse): void {
    if (this.#isClosed) throw new HttpFailure(503, 'this process is about to end');
    if (this.#responses.size >= MAX_STREAMS) {
      throw new HttpFailure(503, `${MAX_STREAMS} pages are open on this process: close one`);
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    this.#responses.add(response);
    this.#onChange(this.#responses.size);
    response.once('close', () => {
      this.#responses.delete(response);
      this.#onChange(this.#responses.size);
    });
  }

  /** @param id of the event, for a page that connects again */
  send(name: string, data: object, id?: number): void {
    if (this.#responses.size === 0) return;
    const text = `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
    for (const response of this.#responses) if (response.writableLength <= MAX_UNSENT) response.write(text);
  }

  /** A page that connects again would keep the server from ending. */
  close(): void {
    this.#isClosed = true;
    for (const response of this.#responses) response.end();
  }
}
