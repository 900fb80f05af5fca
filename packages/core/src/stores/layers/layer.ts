// layers/ runs what lies between a limiter and its store: this file is what a layer can do, and layers.ts runs a list
// of them; deny-cache.ts and with-fallback.ts are two. The claims of a request enter, and its answer leaves. It imports
// what stores share, and neither a store nor a limiter.
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../store.js';

/** The texts of `label` of a request, by the names of its tiers. */
export type Labels = ReadonlyMap<string, string> | undefined;

/** A request on its way through the layers. */
export interface Passage {
  readonly group: readonly Claim[];
  readonly labels: Labels;
  /** True for a request that changes nothing. */
  readonly isPeek: boolean;
  /** Undefined for a request that is in no line. */
  readonly waiters: Waiters | undefined;
}

/** Who else waits for the permit of a request in this process. */
export interface Waiters {
  readonly others: boolean;
  /** Others of its caller. */
  readonly ofCaller: boolean;
}

/**
 * One of the layers before a store. It does what it is for by these functions, and has none where it has nothing to do:
 * docs/decisions/0041-layers.md.
 */
export interface Layer {
  /** Answers in the place of what is below. Undefined: the request goes on. */
  readonly before?: ((passage: Passage) => MaybePromise<Answer> | undefined) | undefined;
  /** Sees or replaces an answer from below. */
  onAnswer?(passage: Passage, answer: Answer): Answer;
  /** Answers in the place of what has failed below, or throws. */
  onError?(passage: Passage, error: unknown): MaybePromise<Answer>;
  /** Gives receipts back, by `below` as far as they are not its own. Returns how many units came back, in sum. */
  undo?(receipts: readonly Receipt[], below: Undo): MaybePromise<number>;
  /** Deletes what it knows of keys, before or after `below` has done so. */
  forget?(keys: readonly string[], below: () => MaybePromise<void>): MaybePromise<void>;
  /** Ends what it does by itself. */
  close?(): MaybePromise<void>;
}

export type Undo = (receipts: readonly Receipt[]) => MaybePromise<number>;

/** The answer to a request of which an error is known. */
export type Recover = (error: unknown, group: readonly Claim[]) => MaybePromise<Answer>;
