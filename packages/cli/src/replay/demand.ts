import type { LoggedRequest } from '../logs/lines/logged-request.js';
import type { Client } from './client.js';
import { Clients, type KeyKind } from './clients.js';
import { evidenceOf, kindOf, type Judged, type Kind } from './kinds/kind.js';
import { swarmsOf, type Swarm } from './kinds/swarms.js';
import { LEFT_OUT } from './kinds/request-flags.js';
import { Signs } from './kinds/signs.js';
import { memoryBound, type MemoryBound } from './memory-bound.js';
import { paceOf, type Pace } from './kinds/pace.js';
import type { ReplayedRequest } from './replayed-request.js';
import { RequestDetails } from './request-details.js';
import { RequestTable } from './request-table.js';
import { Selection } from './selection.js';

export interface DemandSetup {
  readonly kind: KeyKind;
  /** Windows to measure for each client, in milliseconds. */
  readonly lengths: readonly number[];
  readonly hasCosts: boolean;
  /** A tier has functions of the request. */
  readonly hasDetails: boolean;
  /** @default as much as fits the memory of this process */
  readonly bound?: MemoryBound;
  /** Which requests limits are tried on. Kinds of clients are told by all. @default all */
  readonly isSelected?: ((request: LoggedRequest, flags: number) => boolean) | undefined;
  /** A bit for each limiter that a request meets. @default each meets all */
  readonly routesOf?: ((request: LoggedRequest) => number) | undefined;
}

const MAX_COST = 2 ** 32 - 1;
/** A pace above so many of all clients is fast: an open page that polls belongs to a person. */
const FAST = 0.99;

/** The requests of a log, and what each client asks for. */
export class Demand {
  readonly table: RequestTable;
  /** All that fits the memory is there: further requests are left out. */
  isFull = false;
  readonly signs = new Signs();
  /** Requests without the field of `--cost`, or with one that is no cost. They cost 1. */
  withoutCost = 0;
  /** All requests of the log. */
  all!: Selection;
  /** Those that limits are tried on. */
  selected!: Selection;
  readonly #clients: Clients;
  readonly #details: RequestDetails | undefined;
  readonly #setup: DemandSetup;
  readonly #bound: MemoryBound;
  /** Addresses that act as one. */
  swarms: readonly Swarm[] = [];
  readonly #paces: Pace[] = [];
  /** By index of the client. */
  readonly #swarmOf = new Map<number, Swarm>();
  #fast = Infinity;

  constructor(setup: DemandSetup) {
    const { kind, hasCosts, hasDetails, lengths, bound = memoryBound(lengths.length) } = setup;
    this.table = new RequestTable({ hasCosts, hasRoutes: setup.routesOf !== undefined });
    this.#clients = new Clients(kind, bound.clients);
    this.#details = hasDetails ? new RequestDetails() : undefined;
    this.#setup = setup;
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
    const { isSelected, routesOf, hasCosts } = this.#setup;
    const flags = this.signs.add(client.index, request);
    const isIn = isSelected === undefined || isSelected(request, flags);
    this.table.add(client.index, request.time, request.status, hasCosts ? this.#unitsOf(request) : 1);
    this.table.mark(isIn ? flags : flags | LEFT_OUT, isIn && routesOf !== undefined ? routesOf(request) : 0);
    this.#details?.add(request);
  }

  /** Measures the clients, when all requests are added. */
  measure(): void {
    const order = this.table.putInOrder();
    if (order) this.#details?.putInOrder(order);
    const { lengths, isSelected } = this.#setup;
    const pace = (client: Client, requests: Parameters<typeof paceOf>[0]) => {
      this.#paces[client.index] = paceOf(requests);
    };
    this.all = this.select();
    this.all.measure(isSelected === undefined ? lengths : [], pace);
    this.selected = isSelected === undefined ? this.all : this.select(LEFT_OUT, 0);
    this.selected.measure(lengths);
    const paces = this.#paces.map(({ most }) => most).toSorted((one, other) => one - other);
    this.#fast = paces[Math.floor(paces.length * FAST)] ?? Infinity;
    this.#findSwarms();
    for (const client of this.clients) client.kind = kindOf(this.#judged(client));
  }

  /** The requests whose flags are such. @param mask of the flags that are looked at. @default none, for all requests */
  select(mask = 0, wanted = 0): Selection {
    const { table, clients } = this;
    const requestAt = (row: number) => this.requestAt(row);
    const isIn = mask === 0 ? undefined : (row: number) => (table.flags[row]! & mask) === wanted;
    return new Selection({ table, clients, requestAt, isIn });
  }

  /** The requests that one of the limiters meets. */
  selectRoute(limiter: number): Selection {
    const { table, clients } = this;
    const requestAt = (row: number) => this.requestAt(row);
    const { routes } = table;
    if (routes === undefined) return this.selected;
    return new Selection({ table, clients, requestAt, isIn: (row) => (routes[row]! & (1 << limiter)) !== 0 });
  }

  /** What a client is, and the signs of it in words. */
  verdictOf(client: Client): { readonly kind: Kind; readonly evidence: string } {
    return { kind: client.kind, evidence: evidenceOf(client.kind, this.#judged(client)) };
  }

  #findSwarms(): void {
    if (!this.#isByAddress) return;
    const { pages, forms } = this.signs;
    const clients = this.clients
      .filter(({ index }) => this.signs.mayActWithOthers(index))
      .map(({ index }) => ({ index, signs: this.signs.of(index) }));
    this.swarms = swarmsOf({ clients, textOf: (page) => pages.textOf(page), formPath: forms.path });
    for (const swarm of this.swarms) for (const index of swarm.clients) this.#swarmOf.set(index, swarm);
  }

  #judged({ index }: Client): Judged {
    const pace = this.#paces[index]!;
    const isFast = pace.most >= this.#fast;
    const swarm = this.#swarmOf.get(index)?.evidence;
    return { signs: this.signs.of(index), pace, isFast, isAddress: this.#isByAddress, swarm };
  }

  get #isByAddress(): boolean {
    return this.#setup.kind === 'ip';
  }

  /** The addresses that a client acts as one with. Undefined for one that acts by itself. */
  swarmOf({ index }: Client): Swarm | undefined {
    return this.#swarmOf.get(index);
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
