import type { Identity } from '@sluice/core';
import { KeyedIdentity } from '@sluice/core/operations';
import type { ClientForm } from './client-form.js';
import type { Pace } from './pace.js';

/** Why a client looks like a program: its `User-Agent` says so, or it keeps a pace that people do not keep. */
export type ProgramSign = 'agent' | 'pace';

const UNMEASURED: Pace = { minutes: 0, most: 0, evenness: 0 };

export interface ClientSetup {
  readonly index: number;
  readonly form: ClientForm;
  readonly isProgramAgent: boolean;
}

/** An identity of the log, and what it has requested. */
export class Client {
  /** The value that identifies it. */
  readonly name: string;
  /** Which of the clients, by first request in the log. */
  readonly index: number;
  /** How the log names it. */
  readonly form: ClientForm;
  requests = 0;
  /** Requests that the candidate denies. */
  denied = 0;
  /** Requests that the current limits deny. */
  deniedNow = 0;
  /** The most units in a window, one for each length of the demand. */
  busiest: readonly number[] = [];
  /** Which tiers of the candidate have denied it, and the units that each allows. */
  denials: Map<string, number> | undefined;
  pace = UNMEASURED;
  /** Its first request named a program as its user agent. */
  readonly isProgramAgent: boolean;
  /** Undefined for one that looks like people. */
  sign: ProgramSign | undefined;
  readonly #identity: Identity;
  #identities: Identity[] | undefined;

  constructor(identity: Identity, { index, form, isProgramAgent }: ClientSetup) {
    this.name = identity.parts.join(' ');
    this.#identity = identity;
    this.index = index;
    this.form = form;
    this.isProgramAgent = isProgramAgent;
  }

  /** Its identity for one of several limiters. An identity remembers its key in one of them. */
  identityFor(limiter: number): Identity {
    return ((this.#identities ??= [])[limiter] ??= new KeyedIdentity(this.#identity.kind, this.#identity.parts[0]!));
  }
}
