import { EventEmitter } from 'node:events';
import type { GateResponse } from '@sluice/http';

/** The headers that a gate sets for a response that another program sends, and whether that program still waits for them. */
export class ServedResponse implements GateResponse {
  readonly statusCode = 200;
  readonly headersSent = false;
  readonly writableEnded = false;
  /** The program no longer waits. */
  destroyed = false;
  readonly headers = new Map<string, string>();
  #events: EventEmitter | undefined;
  #controller: AbortController | undefined;
  #next: ServedResponse | undefined;

  /** Fires when the program no longer waits. Made when it is asked for, because few limiters let requests wait. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.destroyed) this.#controller.abort();
    return this.#controller.signal;
  }

  /** One for the next of several answers about a request: it has headers of its own, and its program goes with this one. */
  next(): ServedResponse {
    this.#next = new ServedResponse();
    if (this.destroyed) this.#next.close();
    return this.#next;
  }

  getHeader(name: string): string | undefined {
    return this.headers.get(name.toLowerCase());
  }

  setHeader(name: string, value: string): void {
    this.headers.set(name.toLowerCase(), value);
  }

  end(): void {}

  once(event: 'close' | 'finish', listener: () => void): void {
    (this.#events ??= new EventEmitter()).once(event, listener);
  }

  /** The program has gone: a request in line gives up its place. */
  close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#events?.emit('close');
    this.#controller?.abort();
    this.#next?.close();
  }
}
