import { byIp, type Identity } from '@sluice/core';
import type { LoggedRequest } from '../logs/logged-request.js';
import { Client } from './client.js';
import { isProgramAgent } from './program-sign.js';

/** How `--key` identifies the client of a request. */
export type KeyKind = 'ip' | 'user' | 'field';

/** All clients of a log. */
export class Clients {
  /** By index. */
  readonly all: Client[] = [];
  readonly #kind: KeyKind;
  /** By the text of the log, because most addresses come again in the same spelling, and by name. */
  readonly #byText = new Map<string, Client>();
  readonly #byIp = byIp<LoggedRequest>();

  constructor(kind: KeyKind) {
    this.#kind = kind;
  }

  /** Undefined for a request without the field that identifies it. */
  of(request: LoggedRequest): Client | undefined {
    const text = this.#kind === 'ip' ? request.ip : this.#kind === 'user' ? request.user : request.key;
    if (text === '') return undefined;
    const known = this.#byText.get(text);
    if (known) return known;
    // An IPv6 client has all addresses of its network, as for the limiter.
    const client = this.#find(
      this.#kind === 'ip' ? (this.#byIp(request) as Identity) : { kind: this.#kind, parts: [text] },
      request.agent,
    );
    this.#byText.set(text, client);
    return client;
  }

  #find(identity: Identity, agent: string): Client {
    const name = identity.parts[0]!;
    const known = this.#byText.get(name);
    if (known) return known;
    const client = new Client(identity, this.all.length, isProgramAgent(agent));
    this.#byText.set(name, client);
    this.all.push(client);
    return client;
  }
}
