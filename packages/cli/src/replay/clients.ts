import { canonicalAddress, KeyedIdentity, networkOf } from '@sluice/metrics/operations';
import type { LoggedRequest } from '../logs/lines/logged-request.js';
import { SpanIds } from '../logs/lines/span-ids.js';
import { spanOf, stringOf, type Span } from '../logs/lines/span.js';
import { Client } from './client.js';
import { formOf } from './client-form.js';

/** How `--key` identifies the client of a request. */
export type KeyKind = 'ip' | 'user' | 'field';

/** All clients of a log. */
export class Clients {
  /** By index. */
  readonly all: Client[] = [];
  /** Requests without the field that identifies them. */
  unidentified = 0;
  /** Requests of clients beyond the most that there may be. */
  leftOut = 0;
  readonly #kind: KeyKind;
  /** Of the texts of the log, because most addresses come again in the same spelling, and of names. */
  readonly #ids = new SpanIds();
  /** By the id of a text. */
  readonly #byText: Client[] = [];
  readonly #most: number;
  /** How many clients with short names would take as much memory. */
  #taken = 0;

  /** @param most how many with short names there may be @default as many as there are */
  constructor(kind: KeyKind, most = Infinity) {
    this.#kind = kind;
    this.#most = most;
  }

  /** Undefined for a request of no client, and of one that is left out. */
  of(request: LoggedRequest): Client | undefined {
    const span = this.#spanIn(request);
    if (span.start === span.end) {
      this.unidentified += 1;
      return undefined;
    }
    const id = this.#ids.idOf(span);
    if (id !== -1) return this.#byText[id]!;
    const text = stringOf(span);
    if (this.#kind !== 'ip') return this.#begin(text, text);
    const address = canonicalAddress(text);
    // An IPv6 client has all addresses of its network, as for the limiter.
    const name = address === undefined ? text : networkOf(address, IPV6_SUBNET);
    const known = name === text ? -1 : this.#ids.idOf(spanOf(name));
    const client = known === -1 ? this.#begin(name, text, address) : this.#byText[known]!;
    // It may come with each of them.
    if (client && name !== text && this.#ids.size < 2 * this.#most) this.#remember(text, client);
    return client;
  }

  #spanIn(request: LoggedRequest): Span {
    return this.#kind === 'ip' ? request.ipBytes : spanOf(this.#kind === 'user' ? request.user : request.key);
  }

  /** @param text that has no id */
  #remember(text: string, client: Client): void {
    this.#byText[this.#ids.add(spanOf(text))] = client;
  }

  /** A client that has not come before. Undefined where there are too many. */
  #begin(name: string, text: string, address?: string): Client | undefined {
    if (this.#taken >= this.#most) {
      this.leftOut += 1;
      return undefined;
    }
    const identity = new KeyedIdentity(this.#kind, name);
    const form = this.#kind === 'ip' ? formOf(text, address) : 'text';
    const client = new Client(identity, { index: this.all.length, form, text });
    this.#remember(name, client);
    this.all.push(client);
    this.#taken += 1 + Math.floor(name.length / LONG_NAME);
    return client;
  }
}

/** A name is also a part of the key of each tier. */
const LONG_NAME = 100;
/** Bits that tell clients of IPv6 apart, as byIp() does. */
const IPV6_SUBNET = 64;
