import { EventEmitter } from 'node:events';
import type { GateResponse } from '@sluice/http';

/** The headers that a gate sets for a response that another program sends. */
export class ServedResponse implements GateResponse {
  readonly statusCode = 200;
  readonly headersSent = false;
  readonly writableEnded = false;
  /** The program no longer waits. */
  destroyed = false;
  readonly headers = new Map<string, string>();
  #events: EventEmitter | undefined;

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
  }
}
