import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Layers } from '../layers/layers.js';
import type { Labels, Waiters } from '../layer.js';
import type { Answer } from '../../model/answer.js';

/** A request that may wait for a permit. It is sent through the layers each time that it is its turn. */
export class LinedRequest {
  readonly group: readonly Claim[];
  /** The limiter, with which it leaves, and with which its permits end. */
  readonly owner: object;
  readonly #layers: Layers;
  readonly #labels: Labels;

  constructor(layers: Layers, group: readonly Claim[], { labels, owner }: { labels: Labels; owner: object }) {
    this.#layers = layers;
    this.group = group;
    this.#labels = labels;
    this.owner = owner;
  }

  send(waiters: Waiters): MaybePromise<Answer> {
    const check = this.#layers.check(this.group);
    check.labels = this.#labels;
    check.waiters = waiters;
    return check.send();
  }

  peek(): MaybePromise<Answer> {
    return this.#layers.peek(this.group);
  }
}
