import { companion } from '../model/companion.js';
import type { Store } from './store.js';

/** How a store talks to Redis. */
export interface Wire {
  /** The client that sends its calls: of ioredis, or the object that was passed. */
  readonly client: object;
  /** Milliseconds that a request waits for Redis. */
  readonly deadline: number;
  /** Why the store sends nothing to a server that is ready: its client is in another database. */
  mistake(): Error | undefined;
  /** A copy of an error of the client, without the command that the client adds: keys, arguments and passwords. */
  problemOf(error: unknown): Error;
}

const wires = companion<object, Wire>('wires');

export function registerWire(store: Store, wire: Wire): void {
  wires.set(store, wire);
}

/** How a Redis store talks to Redis, for tools. Undefined for another store. */
export function wireOf(store: Store): Wire | undefined {
  return wires.get(store);
}
