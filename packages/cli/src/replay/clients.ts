import { byIp, type Identity } from '@sluice/core';
import type { LoggedRequest } from '../logs/logged-request.js';
import { Client } from './client.js';
import { isProgramAgent } from './program-sign.js';

/** How `--key` identifies the client of a request. */
export type KeyKind = 'ip' | 'user' | 'field';

/** All clients of a log. */
export class Clients {
  readonly #kind: KeyKind;
  readonly #lengths: readonly number[];
  readonly #byName = new Map<string, Client>();
  /** By the text of the log, because most addresses come again in the same spelling. */
  readonly #byText = new Map<string, Client>();
  readonly #byIp = byIp<LoggedRequest>();

  /** @param lengths windows to measure, in milliseconds */
  constructor(kind: KeyKind, lengths: readonly number[]) {
    this.#kind = kind;
    this.#lengths = lengths;
  }

  get size(): number {
    return this.#byName.size;
  }

  all(): Iterable<Client> {
    return this.#byName.values();
  }

  /** Undefined for a request without the field that identifies it. */
  of(request: LoggedRequest): Client | undefined {
    const { ip, user, key } = request;
    const text = this.#kind === 'ip' ? ip : this.#kind === 'user' ? user : key;
    if (text === '') return undefined;
    const known = this.#byText.get(text);
    if (known) return known;
    // An IPv6 client has all addresses of its network, as for the limiter.
    const client = this.#find(
      this.#kind === 'ip' ? (this.#byIp(request) as Identity) : { kind: this.#kind, parts: [detached(text)] },
      request.agent,
    );
    this.#byText.set(detached(text), client);
    return client;
  }

  #find(identity: Identity, agent: string): Client {
    const name = identity.parts[0]!;
    const known = this.#byName.get(name);
    if (known) return known;
    const client = new Client(identity, this.#byName.size, this.#lengths, isProgramAgent(agent));
    this.#byName.set(name, client);
    return client;
  }
}

/** A copy, because a part of a string holds all of it in memory. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}
