import { EventEmitter, once } from 'node:events';
import type { RequestHandler } from 'express';

/** Where a test sees requests come and their clients go, and has them wait. */
export class Post {
  readonly #events = new EventEmitter();

  /** Sees requests pass. */
  readonly watch: RequestHandler = (_request, response, next) => {
    this.#events.emit('arrival');
    response.once('close', () => this.#events.emit('departure'));
    next();
  };

  /** Has requests wait until they may pass. */
  readonly hold: RequestHandler = (request, response, next) => {
    this.#events.once('passing', () => next());
    this.watch(request, response, () => {});
  };

  arrival(): Promise<unknown> {
    return once(this.#events, 'arrival');
  }

  /** The server knows that the client has gone. */
  departure(): Promise<unknown> {
    return once(this.#events, 'departure');
  }

  passing(): Promise<unknown> {
    return once(this.#events, 'passing');
  }

  pass(): void {
    this.#events.emit('passing');
  }
}
