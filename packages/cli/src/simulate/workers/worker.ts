import type { Identity } from '@sluice/core';
import { KeyedIdentity } from '@sluice/metrics/operations';
import type { Subject } from '../../limits/trial.js';

/** One of several workers that are the same client. Functions of tiers get it as their subject. */
export class Worker implements Subject {
  readonly worker: number;
  readonly #identity: Identity;

  constructor(worker: number, identity: Identity) {
    this.worker = worker;
    this.#identity = identity;
  }

  get client(): this {
    return this;
  }

  identityFor(): Identity {
    return this.#identity;
  }
}

export function workersOfOneKey(count: number): readonly Worker[] {
  const identity = new KeyedIdentity('client', 'shared');
  return Array.from({ length: count }, (_, index) => new Worker(index, identity));
}
