/** How the clients of a process connect, and how its loop accepts. */
export interface SocketOptions {
  /** Connections that a turn of the loop accepts. Node 20.3 and later accept one. */
  readonly accepts: 'one' | 'all';
  /** One for each request, or one that stays: its client closes it when it gives up, and connects anew. */
  readonly connections: 'new' | 'kept';
  /** Kept connections that are open at the start. */
  readonly clients: number;
}

/** Connections that the kernel lets wait until they are accepted: the default of Node. */
const BACKLOG = 511;
/** Requests that a turn reads. */
const TURN = 1_024;

/** What waits for a loop in the kernel: connections to be accepted, and requests to be read. */
export class Sockets<R> {
  readonly #options: SocketOptions;
  readonly #waiting: R[] = [];
  #readable: R[] = [];
  #idle: number;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#idle = options.connections === 'kept' ? options.clients : 0;
  }

  get isQuiet(): boolean {
    return this.#waiting.length === 0 && this.#readable.length === 0;
  }

  arrive(request: R): void {
    if (this.#idle > 0) {
      this.#idle -= 1;
      this.#readable.push(request);
      // Others are lost: they come again after a second, when their clients have given up.
    } else if (this.#waiting.length < BACKLOG) this.#waiting.push(request);
  }

  /** The request of a kept connection was answered before its client gave up. */
  answered(): void {
    if (this.#options.connections === 'kept') this.#idle += 1;
  }

  /** What a turn finds. A connection that it accepts is read in the next one. */
  turn(): { readonly accepted: number; readonly requests: readonly R[] } {
    const requests = this.#readable.slice(0, TURN);
    const accepted = this.#waiting.splice(0, this.#options.accepts === 'one' ? 1 : BACKLOG);
    this.#readable = [...this.#readable.slice(TURN), ...accepted];
    return { accepted: accepted.length, requests };
  }
}
