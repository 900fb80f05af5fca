import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Layers } from '../layers/layers.js';
import type { RequestFacts, Waiters } from '../layer.js';
import type { Answer } from '../../model/answer.js';

interface Lined {
  readonly facts: RequestFacts | undefined;
  readonly owner: object;
}

/** A request that may wait for a permit. It is sent through the layers each time that it is its turn. */
export class LinedRequest {
  readonly group: readonly Claim[];
  /** The limiter, with which it leaves, and with which its permits end. */
  readonly owner: object;
  readonly #layers: Layers;
  readonly #facts: RequestFacts | undefined;

  constructor(layers: Layers, group: readonly Claim[], { facts, owner }: Lined) {
    this.#layers = layers;
    this.group = group;
    this.#facts = facts;
    this.owner = owner;
  }

  get patience(): RequestFacts['patience'] {
    return this.#facts?.patience;
  }

  send(waiters: Waiters): MaybePromise<Answer> {
    const check = this.#layers.check(this.group);
    check.facts = this.#facts;
    check.waiters = waiters;
    return check.send();
  }

  peek(): MaybePromise<Answer> {
    return this.#layers.peek(this.group);
  }
}
