import type { MaybePromise } from '../async/maybe-promise.js';
import type { Answer } from '../model/answer.js';
import type { Brought } from '../model/appointment.js';
import type { Claim } from '../model/claim.js';
import type { OnReached } from '../model/notice.js';
import type { Patience } from '../model/patience.js';
import type { Receipt } from '../model/receipt.js';

/** The texts of `label` of a request, by the names of its tiers. */
export type Labels = ReadonlyMap<string, string> | undefined;

/** What a request says beside its claims. It goes with the claims to a store that takes checks. */
export interface RequestFacts {
  readonly labels?: Labels;
  /** Hears of marks that its charges have reached, also by a late reply. */
  readonly onReached?: OnReached | undefined;
  /** How it waits for units that others hold. */
  readonly patience?: Patience | undefined;
  /** What it brings of the denial before it. */
  readonly brought?: Brought | undefined;
  /** The context object of `sluice:consume`, while that has a listener. */
  readonly trace?: object | undefined;
}

/** A request on its way through the layers. */
export interface Passage {
  readonly group: readonly Claim[];
  /** For a layer that sends the request by itself, or that has more to say of it. */
  facts: RequestFacts | undefined;
  readonly patience: Patience | undefined;
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

/** What a plan does with the claims of a request. */
export type Charge = (group: readonly Claim[], facts?: RequestFacts) => MaybePromise<Answer>;

/** What the tiers of a plan need of the layers of a store. */
export interface LayerNeeds {
  /** A denial of the past may answer. */
  readonly isCached: boolean;
  /** One of them has a lease. */
  readonly isLeased: boolean;
  /** A request may have units that come back when it ends: they are named, renewed, released and waited for. */
  readonly mayHold: boolean;
  /** One of them can be paused: a server that was away is told of a pause when it is back. */
  readonly mayPause: boolean;
  /** The layers of features, which lie before the others. */
  readonly features: readonly Layer[];
  /** The limiter: what waits leaves with it, and what its requests hold ends with it. */
  readonly owner: object;
}
