import type { LoggedRequest } from '../logs/logged-request.js';
import { busiestWindow } from './busiest-window.js';
import type { Client } from './client.js';
import { Clients, type KeyKind } from './clients.js';
import { memoryBound, type MemoryBound } from './memory-bound.js';
import { paceOf } from './pace.js';
import { markPrograms } from './program-sign.js';
import type { ReplayedRequest } from './replayed-request.js';
import { RequestDetails } from './request-details.js';
import { RequestTable, type ClientRows } from './request-table.js';

export interface DemandSetup {
  readonly kind: KeyKind;
  /** Windows to measure for each client, in milliseconds. */
  readonly lengths: readonly number[];
  readonly hasCosts: boolean;
  /** A tier has functions of the request. */
  readonly hasDetails: boolean;
  /** @default as much as fits the memory of this process */
  readonly bound?: MemoryBound;
}

const MAX_COST = 2 ** 32 - 1;

/** The requests of a log, and what each client asks for. */
export class Demand {
  readonly table: RequestTable;
  /** All that fits the memory is there: further requests are left out. */
  isFull = false;
  /** Requests without the field of `--cost`, or with one that is no cost. They cost 1. */
  withoutCost = 0;
  readonly #clients: Clients;
  readonly #details: RequestDetails | undefined;
  readonly #lengths: readonly number[];
  readonly #hasCosts: boolean;
  readonly #bound: MemoryBound;
  #rows!: ClientRows;

  constructor({ kind, lengths, hasCosts, hasDetails, bound = memoryBound() }: DemandSetup) {
    this.table = new RequestTable(hasCosts);
    this.#clients = new Clients(kind, bound.clients);
    this.#details = hasDetails ? new RequestDetails() : undefined;
    this.#lengths = [...new Set(lengths)];
    this.#hasCosts = hasCosts;
    this.#bound = bound;
  }

  get requests(): number {
    return this.table.size;
  }

  /** Requests without the field of `--key`. */
  get unidentified(): number {
    return this.#clients.unidentified;
  }

  /** Requests of clients that do not fit the memory. */
  get leftOut(): number {
    return this.#clients.leftOut;
  }

  get clients(): readonly Client[] {
    return this.#clients.all;
  }

  /** Milliseconds since 1970. */
  get first(): number {
    return this.table.times[0]!;
  }

  get last(): number {
    return this.table.times[this.table.size - 1]!;
  }

  /** Takes what it needs of a request. */
  add(request: LoggedRequest): void {
    const { requests, characters } = this.#bound;
    this.isFull ||= this.table.size >= requests || (this.#details?.characters ?? 0) >= characters;
    if (this.isFull) return;
    const client = this.#clients.of(request);
    if (client === undefined) return;
    client.requests += 1;
    this.table.add(client.index, request.time, request.status, this.#hasCosts ? this.#unitsOf(request) : 1);
    this.#details?.add(request);
  }

  /** Measures the clients, when all requests are added. */
  measure(): void {
    const { table, clients } = this;
    const order = table.putInOrder();
    if (order) this.#details?.putInOrder(order);
    const most = clients.reduce((one, { requests }) => Math.max(one, requests), 0);
    const [times, units] = [new Float64Array(most), new Float64Array(most)];
    this.#rows = table.rowsByClient(clients.length);
    for (const client of clients) {
      const rows = this.rowsOf(client);
      for (const [place, row] of rows.entries()) {
        times[place] = table.times[row]!;
        units[place] = table.unitsAt(row);
      }
      const requests = { size: rows.length, times, units };
      client.busiest = this.#lengths.map((length) => busiestWindow(requests, length));
      client.pace = paceOf(requests);
    }
    markPrograms(clients);
  }

  /** The most units that a client has requested in a window. @param length one of those to measure */
  mostIn(length: number, client: Client): number {
    return client.busiest[this.#lengths.indexOf(length)]!;
  }

  /** The rows of a client, in order of time. */
  rowsOf({ index }: Client): Uint32Array {
    const { rows, starts } = this.#rows;
    return rows.subarray(starts[index], starts[index + 1]);
  }

  /** A request as limiters get it. Without tiers of functions it has no texts. */
  requestAt(row: number): ReplayedRequest {
    const { times, clients, statuses } = this.table;
    const request = {
      client: this.clients[clients[row]!]!,
      time: times[row]!,
      status: statuses[row]!,
      units: this.table.unitsAt(row),
    };
    return (this.#details ? { ...this.#details.at(row), ...request } : request) as ReplayedRequest;
  }

  #unitsOf({ cost }: LoggedRequest): number {
    const units = cost === '' ? Number.NaN : Number(cost);
    if (Number.isInteger(units) && units >= 0 && units <= MAX_COST) return units;
    this.withoutCost += 1;
    return 1;
  }
}
