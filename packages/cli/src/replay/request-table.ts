import { orderOf } from './request-order.js';

const FIRST_CAPACITY = 2 ** 16;

/** Requests in columns, 15 bytes each: as objects they would take ten times as much. */
export class RequestTable {
  size = 0;
  /** Milliseconds since 1970. */
  times = new Float64Array(FIRST_CAPACITY);
  /** The index of each client. */
  clients = new Uint32Array(FIRST_CAPACITY);
  statuses = new Uint16Array(FIRST_CAPACITY);
  flags = new Uint8Array(FIRST_CAPACITY);
  /** Undefined if each request meets each limiter. */
  routes: Uint32Array | undefined;
  /** Undefined if each request costs one. */
  #units: Uint32Array | undefined;
  #isSorted = true;

  constructor({ hasCosts, hasRoutes }: { readonly hasCosts: boolean; readonly hasRoutes: boolean }) {
    this.#units = hasCosts ? new Uint32Array(FIRST_CAPACITY) : undefined;
    this.routes = hasRoutes ? new Uint32Array(FIRST_CAPACITY) : undefined;
  }

  /** @param units ignored if each request costs one */
  add(client: number, time: number, status: number, units: number): void {
    const row = this.size;
    if (row === this.times.length) this.#grow();
    if (row > 0 && time < this.times[row - 1]!) this.#isSorted = false;
    this.times[row] = time;
    this.clients[row] = client;
    this.statuses[row] = status;
    if (this.#units) this.#units[row] = units;
    this.size += 1;
  }

  /**
   * Marks the request that was added last.
   *
   * @param flags of `kinds/request-flags.ts`
   * @param routes a bit for each limiter that it meets. Ignored if each request meets all
   */
  mark(flags: number, routes: number): void {
    this.flags[this.size - 1] = flags;
    if (this.routes) this.routes[this.size - 1] = routes;
  }

  unitsAt(row: number): number {
    return this.#units === undefined ? 1 : this.#units[row]!;
  }

  /**
   * Puts the requests in order of time, those of one time in the order of the log. Returns the order, or undefined if
   * they were in order.
   */
  putInOrder(): Uint32Array | undefined {
    if (this.#isSorted) return undefined;
    const { times, clients, statuses, flags, routes } = this;
    const order = orderOf(times, this.size);
    const units = this.#units;
    this.times = Float64Array.from(order, (row) => times[row]!);
    this.clients = Uint32Array.from(order, (row) => clients[row]!);
    this.statuses = Uint16Array.from(order, (row) => statuses[row]!);
    this.flags = Uint8Array.from(order, (row) => flags[row]!);
    if (routes) this.routes = Uint32Array.from(order, (row) => routes[row]!);
    if (units) this.#units = Uint32Array.from(order, (row) => units[row]!);
    this.#isSorted = true;
    return order;
  }

  /** The rows of each client, in order. @param clients how many there are @param isIn which rows. @default all */
  rowsByClient(clients: number, isIn: (row: number) => boolean = () => true): ClientRows {
    const starts = new Uint32Array(clients + 1);
    let size = 0;
    for (let row = 0; row < this.size; row += 1) {
      if (!isIn(row)) continue;
      starts[this.clients[row]! + 1]! += 1;
      size += 1;
    }
    for (let client = 0; client < clients; client += 1) starts[client + 1]! += starts[client]!;
    const rows = new Uint32Array(size);
    const ends = starts.slice();
    for (let row = 0; row < this.size; row += 1) {
      if (!isIn(row)) continue;
      const client = this.clients[row]!;
      rows[ends[client]!] = row;
      ends[client]! += 1;
    }
    return { rows, starts };
  }

  #grow(): void {
    const capacity = this.times.length * 2;
    const { times, clients, statuses, flags, routes } = this;
    (this.times = new Float64Array(capacity)).set(times);
    (this.clients = new Uint32Array(capacity)).set(clients);
    (this.statuses = new Uint16Array(capacity)).set(statuses);
    (this.flags = new Uint8Array(capacity)).set(flags);
    if (routes) (this.routes = new Uint32Array(capacity)).set(routes);
    const units = this.#units;
    if (units) (this.#units = new Uint32Array(capacity)).set(units);
  }
}

/** Rows by client: those of a client begin at its start, and end at that of the next one. */
export interface ClientRows {
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
}
