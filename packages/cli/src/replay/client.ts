import type { Identity } from '@sluice/core';
import { KeyedIdentity } from '@sluice/metrics/operations';
import type { ClientForm } from './client-form.js';
import type { Kind } from './kinds/kind.js';

export interface ClientSetup {
  readonly index: number;
  readonly form: ClientForm;
  readonly text: string;
}

/** An identity of the log, and what limits decide about it. */
export class Client {
  /** The value that identifies it. */
  readonly name: string;
  /** Which of the clients, by first request in the log. */
  readonly index: number;
  /** How the log names it. */
  readonly form: ClientForm;
  /** The text of its first request: the address that the network of an IPv6 client was found by. */
  readonly text: string;
  /** Until all requests are known, a client is taken for a person. */
  kind: Kind = 'person';
  /** Requests that the candidate denies. */
  denied = 0;
  /** Requests that the current limits deny. */
  deniedNow = 0;
  readonly #identity: Identity;
  #identities: Identity[] | undefined;

  constructor(identity: Identity, { index, form, text }: ClientSetup) {
    this.name = identity.parts.join(' ');
    this.#identity = identity;
    this.index = index;
    this.form = form;
    this.text = text;
  }

  /** Its identity for one of several limiters. An identity remembers its key in one of them. */
  identityFor(limiter: number): Identity {
    return ((this.#identities ??= [])[limiter] ??= new KeyedIdentity(this.#identity.kind, this.#identity.parts[0]!));
  }
}
