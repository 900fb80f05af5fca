import { chain } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { isSluiceError } from '../model/errors.js';
import { Alarm } from './alarm.js';
import type { RemoteStore } from './store.js';

/** What a store must know about a key. It may hear a fact twice. */
export interface Fact<T = unknown> {
  readonly key: string;
  /** Facts of one key and name replace each other: the one that lasts longer stays. */
  readonly name: string;
  /** The store needs it until then, in milliseconds of the clock. */
  readonly until: number;
  readonly kind: FactKind<T>;
  readonly about: T;
}

/** Facts that are sent together. */
export interface FactKind<T> {
  /** Without such a fact the store admits too much, so it does not decide about the key before it has heard it. */
  readonly isVital: boolean;
  /** Sends facts before the calls that are sent next. */
  send(about: readonly T[]): MaybePromise<unknown>;
}

interface Letter {
  readonly fact: Fact;
  /** In flight. Resolves with the problem of the store, or undefined if it has heard the fact. */
  sending?: Promise<unknown>;
  /** Of the last attempt. */
  problem: unknown;
}

/** Facts that a store has not heard while it was away: docs/decisions/0037-outbox.md. */
export class Outbox {
  readonly #store: Partial<RemoteStore>;
  readonly #clock: () => number;
  readonly #alarm: Alarm;
  /** By key and name. */
  readonly #letters = new Map<string, Map<string, Letter>>();

  /** @param clock monotonic milliseconds */
  constructor(store: Partial<RemoteStore>, clock: () => number = () => performance.now()) {
    this.#store = store;
    this.#clock = clock;
    this.#alarm = new Alarm(clock, () => this.sendAll());
    store.onAnswer?.(() => this.sendAll());
  }

  /** Sends facts by a call of their own, and keeps them if it fails. */
  tell(facts: readonly Fact[], call: () => MaybePromise<unknown>): MaybePromise<void> {
    const onError = (problem: unknown) => this.keep(facts, problem);
    try {
      return chain(call(), () => undefined, onError);
    } catch (error) {
      return onError(error);
    }
  }

  /** Keeps facts until the store has heard them. @param problem of an attempt that has failed */
  keep(facts: readonly Fact[], problem?: unknown): void {
    if (facts.length === 0 || isClosed(problem)) return;
    for (const fact of facts) {
      const letters = this.#letters.get(fact.key) ?? new Map<string, Letter>();
      this.#letters.set(fact.key, letters);
      const known = letters.get(fact.name);
      if (known === undefined || known.fact.until < fact.until) letters.set(fact.name, { fact, problem });
      else known.problem ??= problem;
    }
    this.#tryLater();
  }

  /** Drops the facts of this name. */
  forget(keys: readonly string[], name: string): void {
    for (const key of keys) this.#remove(key, name);
  }

  /**
   * Sends what the store has not heard of these keys, before a check that is sent next. Returns the problem if the store
   * must not decide, at once or when the check has its answer.
   */
  before(claims: readonly { readonly key: string }[]): MaybePromise<unknown> {
    if (this.#letters.size === 0) return undefined;
    const letters = claims.flatMap(({ key }) => [...(this.#letters.get(key)?.values() ?? [])]);
    this.#send(letters);
    const vital = letters.filter(({ fact, sending }) => fact.kind.isVital && sending !== undefined);
    const failed = vital.find(({ problem }) => problem !== undefined);
    if (failed !== undefined || vital.length === 0) return failed?.problem;
    return Promise.all(vital.map(({ sending }) => sending)).then((problems) => problems.find(isProblem));
  }

  /** Sends all facts whose server may answer. */
  sendAll(): void {
    if (this.#letters.size === 0) return;
    const letters = [...this.#letters.values()].flatMap((ofKey) => [...ofKey.values()]);
    this.#send(letters.filter(({ fact }) => this.#store.outageOf?.([fact]) === undefined));
    this.#tryLater();
  }

  stop(): void {
    this.#alarm.stop();
    this.#letters.clear();
  }

  #send(letters: readonly Letter[]): void {
    const now = this.#clock();
    const waiting = letters.filter(({ sending }) => sending === undefined);
    for (const { fact } of waiting) if (fact.until <= now) this.#remove(fact.key, fact.name);
    const due = waiting.filter(({ fact }) => fact.until > now);
    for (const kind of new Set(due.map(({ fact }) => fact.kind))) {
      const together = due.filter(({ fact }) => fact.kind === kind);
      const sending = this.#deliver(kind, together);
      for (const letter of together) letter.sending = sending;
    }
  }

  /** Resolves with the problem of the store. */
  async #deliver(kind: FactKind<unknown>, letters: readonly Letter[]): Promise<unknown> {
    let problem: unknown;
    try {
      await kind.send(letters.map(({ fact }) => fact.about));
    } catch (error) {
      problem = error;
    }
    for (const letter of letters) this.#onDelivered(letter, problem);
    this.#tryLater();
    return problem;
  }

  #onDelivered(letter: Letter, problem: unknown): void {
    const { key, name } = letter.fact;
    delete letter.sending;
    letter.problem = problem;
    const isCurrent = this.#letters.get(key)?.get(name) === letter;
    if (isCurrent && (problem === undefined || isClosed(problem))) this.#remove(key, name);
  }

  #remove(key: string, name: string): void {
    const letters = this.#letters.get(key);
    letters?.delete(name);
    if (letters?.size === 0) this.#letters.delete(key);
  }

  /** For a process without requests: the alarm rings in a second. */
  #tryLater(): void {
    if (this.#letters.size > 0) this.#alarm.setFor(Infinity);
  }
}

function isProblem(problem: unknown): boolean {
  return problem !== undefined;
}

/** No server will hear of it. */
function isClosed(problem: unknown): boolean {
  return isSluiceError(problem) && problem.code === 'STORE_CLOSED';
}
