import type { LoggedRequest } from '../logs/logged-request.js';
import { Clients, type KeyKind } from './clients.js';
import { Recording } from './recording.js';
import type { ReplayedRequest } from './replayed-request.js';
import { Timeline } from './timeline.js';

export interface DemandSetup {
  readonly kind: KeyKind;
  /** Windows to measure for each client, in milliseconds. */
  readonly lengths: readonly number[];
  readonly hasCosts: boolean;
  /** Stores the requests, to replay them again. */
  readonly isRecorded: boolean;
}

/** The series of the timeline. */
export const DEMAND = 0;
export const DENIED = 1;
export const DENIED_NOW = 2;

/** The requests of a log, and what each client asks for. */
export class Demand {
  readonly clients: Clients;
  readonly timeline = new Timeline(3);
  readonly recording: Recording | undefined;
  /** Milliseconds since 1970. */
  first = Number.NaN;
  last = Number.NaN;
  requests = 0;
  /** Requests without the field of `--key`. */
  unidentified = 0;
  /** Requests without the field of `--cost`, or with one that is no cost. They cost 1. */
  withoutCost = 0;
  readonly #hasCosts: boolean;

  constructor({ kind, lengths, hasCosts, isRecorded }: DemandSetup) {
    this.clients = new Clients(kind, lengths);
    this.recording = isRecorded ? new Recording() : undefined;
    this.#hasCosts = hasCosts;
  }

  /** Counts requests of one second, in order. Returns those that have a client. */
  add(second: readonly LoggedRequest[]): readonly ReplayedRequest[] {
    const counted: ReplayedRequest[] = [];
    for (const request of second) {
      const client = this.clients.of(request);
      if (client === undefined) {
        this.unidentified += 1;
        continue;
      }
      const replayed = request as ReplayedRequest;
      replayed.client = client;
      replayed.units = this.#unitsOf(request);
      this.#count(replayed);
      counted.push(replayed);
    }
    return counted;
  }

  #count(request: ReplayedRequest): void {
    const { client, time, units } = request;
    if (this.requests === 0) this.first = time;
    this.last = time;
    this.requests += 1;
    client.requests += 1;
    client.pace.add(time);
    for (const window of client.windows) window.add(time, units);
    this.timeline.add(time, DEMAND);
    this.recording?.add(request);
  }

  #unitsOf(request: LoggedRequest): number {
    if (!this.#hasCosts) return 1;
    const units = unitsIn(request);
    if (units === undefined) this.withoutCost += 1;
    return units ?? 1;
  }
}

const MAX_COST = 2 ** 32 - 1;

/** Undefined for a field that is missing, or no whole number of units. */
function unitsIn({ cost }: LoggedRequest): number | undefined {
  const units = cost === '' ? Number.NaN : Number(cost);
  return Number.isInteger(units) && units >= 0 && units <= MAX_COST ? units : undefined;
}
