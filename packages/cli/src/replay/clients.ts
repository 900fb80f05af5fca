import { canonicalAddress, KeyedIdentity, networkOf } from '@sluice/core/operations';
import type { LoggedRequest } from '../logs/logged-request.js';
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
  /** By the text of the log, because most addresses come again in the same spelling, and by name. */
  readonly #byText = new Map<string, Client>();
  readonly #most: number;

  /** @param most how many there may be @default as many as there are */
  constructor(kind: KeyKind, most = Infinity) {
    this.#kind = kind;
    this.#most = most;
  }

  /** Undefined for a request of no client, and of one that is left out. */
  of(request: LoggedRequest): Client | undefined {
    const text = this.#kind === 'ip' ? request.ip : this.#kind === 'user' ? request.user : request.key;
    if (text === '') {
      this.unidentified += 1;
      return undefined;
    }
    const known = this.#byText.get(text);
    if (known) return known;
    // A text of a line is a slice of it, and would keep the line in memory.
    const own = Buffer.from(text).toString();
    const client = this.#find(own);
    // A client has all addresses of an IPv6 network, and may come with each of them.
    if (client && this.#byText.size < 2 * this.#most) this.#byText.set(own, client);
    return client;
  }

  /** Undefined where there are too many. */
  #find(text: string): Client | undefined {
    const isAddress = this.#kind === 'ip';
    const address = isAddress ? canonicalAddress(text) : undefined;
    // An IPv6 client has all addresses of its network, as for the limiter.
    const name = address === undefined ? text : networkOf(address, IPV6_SUBNET);
    const known = this.#byText.get(name);
    if (known) return known;
    if (this.all.length >= this.#most) {
      this.leftOut += 1;
      return undefined;
    }
    const identity = new KeyedIdentity(this.#kind, name);
    const form = isAddress ? formOf(text, address) : 'text';
    const client = new Client(identity, { index: this.all.length, form, text });
    this.#byText.set(name, client);
    this.all.push(client);
    return client;
  }
}

/** Bits that tell clients of IPv6 apart, as byIp() does. */
const IPV6_SUBNET = 64;
