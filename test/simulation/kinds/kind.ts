import type { Fleet, Member } from '../fleet.js';
import type { Keyspace } from '../redis/keyspace.js';
import type { SimServer } from '../redis/sim-server.js';
import type { Requests } from '../requests.js';

/** What the processes of a fleet have, what they are sent, and what must hold. */
export interface Kind {
  readonly name: string;
  /** Faults by a part of their name that its laws have no bound for. */
  readonly without?: readonly string[];
  /** Faults by a part of their name that half of the time are chosen, because they make what its laws are about. */
  readonly likely?: readonly string[];
  /** How many primaries there may be. More than one are a Cluster. @default [1] */
  readonly servers?: readonly number[];
  /** Milliseconds in which faults begin and end: the least and the most. @default 300 ms to 2.5 s */
  readonly story?: readonly [least: number, most: number];
  /** How many faults there may be. @default none to two */
  readonly faults?: readonly number[];
  /** Milliseconds without a fault before a run ends. @default 7 s */
  readonly quiet?: number;
  /** Prepares a run. Its functions are called in simulated processes. */
  begin(fleet: Fleet, requests: Requests, faults: () => readonly string[]): Scene;
}

export interface Scene {
  /** Makes the limiter, or the list, of a process that has begun. */
  open(member: Member): { close(): Promise<void> | void };
  /** A request arrives. */
  act(member: Member): void;
  /** When a fault begins. @param milliseconds that it lasts */
  onFault?(milliseconds: number): void;
  /** Before a server loses data. @param left what it has afterwards */
  onLoss?(server: SimServer, left: Keyspace): void;
  /** When the faults have been over for a while, and before they close. */
  settle?(): void;
  /** When all of them and all stores have closed. */
  check?(): void;
}
