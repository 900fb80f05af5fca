import type { Identity } from '@sluice/core';
import { KeyedIdentity } from '@sluice/metrics/operations';
import type { Subject } from '../limits/trial.js';

/** A client of a simulation. Functions of tiers get it as their subject. */
export class SimulatedClient implements Subject {
  readonly #identity: Identity;

  constructor(number: number) {
    this.#identity = new KeyedIdentity('client', String(number));
  }

  get client(): this {
    return this;
  }

  identityFor(): Identity {
    return this.#identity;
  }
}
