import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';

/** What a store must know about a key. A store may get the same fact twice. */
export interface Fact<T = unknown> {
  readonly key: string;
  /** Facts of one key and name replace each other: the one that lasts longer stays. */
  readonly name: string;
  /** The store needs it until then, in milliseconds of the clock. */
  readonly until: number;
  readonly kind: FactKind<T>;
  readonly about: T;
  /** A call about it has had no answer. */
  readonly isUncertain?: boolean;
}

/** Facts that are sent together. */
export interface FactKind<T> {
  /** Without such a fact the store admits too much, so it does not decide about the key before it has heard it. */
  readonly isVital: boolean;
  /**
   * A call that was sent before may arrive behind such a fact, from a connection that is lost, and undo it. So where a call
   * has had no answer, the store hears it twice. @default false
   */
  readonly isRepeated?: boolean;
  /** True for a fact that holds no longer. @default never */
  isOver?(about: T): boolean;
  /**
   * Sends facts before the calls that are sent next. It returns the problem of each fact, or undefined if the store has
   * got it.
   */
  send(about: readonly T[]): MaybePromise<readonly unknown[]>;
}

/** What this process has to tell its store. */
export interface Facts {
  /** Sends facts by a call of their own. @param call returns the problem of each, as `send` does */
  tell(facts: readonly Fact[], call: () => MaybePromise<readonly unknown[]>): MaybePromise<void>;
  /** Tells facts until the store has heard them. @param problem of an attempt that has failed */
  keep(facts: readonly Fact[], problem?: unknown): void;
  /** Drops the facts of this name. */
  forget(keys: readonly string[], name: string): void;
  /** The problem if the store must not decide about these keys, immediately or when the check has its answer. */
  before(claims: readonly { readonly key: string }[]): MaybePromise<unknown>;
  /** Sends all facts whose server may answer. Resolves when each was heard or has failed. */
  sendAll(): MaybePromise<unknown>;
  /** The same, also to a server that gets no requests after its failures. */
  sendLast(): MaybePromise<unknown>;
  stop(): void;
}

/** A store in this process hears each fact immediately, so that none is left. */
export const heardFacts: Facts = {
  tell: (_facts, call) => heard(call),
  keep(facts) {
    for (const { kind, about } of facts) if (kind.isOver?.(about) !== true) void heard(() => kind.send([about]));
  },
  forget() {},
  before: () => undefined,
  sendAll: () => undefined,
  sendLast: () => undefined,
  stop() {},
};

/** A store that cannot hear is closed, and then it holds nothing. */
function heard(call: () => MaybePromise<unknown>): MaybePromise<void> {
  const done = () => undefined;
  try {
    return chain(call(), done, done);
  } catch {
    return undefined;
  }
}
