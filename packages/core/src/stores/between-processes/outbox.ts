import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { isSluiceError } from '../../model/errors.js';
import { Alarm } from '../alarm.js';
import { onClosing } from '../closing.js';
import type { RemoteStore } from '../store.js';
import type { Fact, FactKind, Facts } from '../with-permits/facts.js';

interface Letter {
  readonly fact: Fact;
  /** In flight. Resolves with the problem of the store, or undefined if it has heard the fact. */
  sending?: Promise<unknown>;
  /** Of the last attempt. */
  problem: unknown;
  /** When the store has heard a fact that it is to hear once more. */
  heardAt?: number | undefined;
}

/** Facts of all keys. More are stored only if the store admits too much without them. */
const MAX_FACTS = 10_000;
/** Milliseconds after which a fact is repeated: what a lost connection has sent has arrived then, or is lost, too. */
const REPEATED_AFTER_MS = 1_000;

/** Facts that a store has missed while it was away (docs/decisions/0037-outbox.md). */
export class Outbox implements Facts {
  readonly #store: Partial<RemoteStore>;
  readonly #clock: () => number;
  readonly #alarm: Alarm;
  /** By key and name. */
  readonly #letters = new Map<string, Map<string, Letter>>();
  #size = 0;

  /** @param clock monotonic milliseconds */
  constructor(store: Partial<RemoteStore>, clock: () => number = () => performance.now()) {
    this.#store = store;
    this.#clock = clock;
    this.#alarm = new Alarm(clock, () => void this.sendAll());
    onClosing(
      store,
      store.link?.onAnswer(() => void this.sendAll()),
    );
  }

  /**
   * Sends facts by a call of their own, and keeps those that fail. @param call returns the problem of each, as `send`
   * does
   */
  tell(facts: readonly Fact[], call: () => MaybePromise<readonly unknown[]>): MaybePromise<void> {
    const onError = (problem: unknown) => this.keep(facts, problem);
    const onProblems = (problems: readonly unknown[]) => {
      for (const [index, fact] of facts.entries()) {
        if (isProblem(problems[index])) this.keep([fact], problems[index]);
        else if (fact.isUncertain && fact.kind.isRepeated) this.#repeat(fact);
      }
    };
    try {
      return chain(call(), onProblems, onError);
    } catch (error) {
      return onError(error);
    }
  }

  /** Keeps facts until the store has heard them. @param problem of an attempt that has failed */
  keep(facts: readonly Fact[], problem?: unknown): void {
    if (facts.length === 0 || isClosed(problem)) return;
    for (const fact of facts) {
      if (!isOver(fact)) this.#add(fact, problem);
    }
    this.#tryLater();
  }

  #repeat(fact: Fact): void {
    this.#add(fact, undefined, this.#clock());
    this.#tryLater();
  }

  #add(fact: Fact, problem: unknown, heardAt?: number): void {
    const letters = this.#letters.get(fact.key) ?? new Map<string, Letter>();
    const known = letters.get(fact.name);
    if (known === undefined) {
      if (this.#size >= MAX_FACTS && !fact.kind.isVital) return;
      this.#size += 1;
    }
    this.#letters.set(fact.key, letters);
    if (known === undefined || known.fact.until < fact.until) letters.set(fact.name, { fact, problem, heardAt });
    else known.problem ??= problem;
  }

  /** Drops the facts of this name. */
  forget(keys: readonly string[], name: string): void {
    for (const key of keys) this.#remove(key, name);
  }

  /**
   * Sends what the store must hear of these keys, before a check that is sent next. Returns the problem if the store
   * must not decide, immediately or when the check has its answer.
   */
  before(claims: readonly { readonly key: string }[]): MaybePromise<unknown> {
    if (this.#letters.size === 0) return undefined;
    const letters = claims.flatMap(({ key }) => [...(this.#letters.get(key)?.values() ?? [])]);
    // Others may be many, and no check needs them.
    this.#send(letters.filter(({ fact }) => fact.kind.isVital));
    const vital = letters.filter(({ fact, sending }) => fact.kind.isVital && sending !== undefined);
    const failed = vital.find(({ problem }) => problem !== undefined);
    if (failed !== undefined || vital.length === 0) return failed?.problem;
    return Promise.all(vital.map(({ sending }) => sending)).then((problems) => problems.find(isProblem));
  }

  /** Sends all facts whose server may answer. Resolves when each was heard or has failed. */
  sendAll(): MaybePromise<unknown> {
    if (this.#letters.size === 0) return undefined;
    const letters = this.#all();
    this.#send(letters.filter(({ fact }) => this.#store.outageOf?.([fact]) === undefined));
    this.#tryLater();
    return Promise.all(letters.map(({ sending }) => sending));
  }

  /**
   * Sends all facts, also to a server that gets no requests after its failures: a process that closes cannot send them
   * later, and a server runs what it reads late. Resolves when each was heard or has failed.
   */
  sendLast(): MaybePromise<unknown> {
    if (this.#letters.size === 0) return undefined;
    const letters = this.#all();
    this.#send(letters);
    return Promise.all(letters.map(({ sending }) => sending));
  }

  stop(): void {
    this.#alarm.stop();
    this.#letters.clear();
    this.#size = 0;
  }

  #all(): readonly Letter[] {
    return [...this.#letters.values()].flatMap((ofKey) => [...ofKey.values()]);
  }

  #send(letters: readonly Letter[]): void {
    const now = this.#clock();
    const waiting = letters.filter(
      ({ sending, heardAt }) => sending === undefined && (heardAt ?? -Infinity) + REPEATED_AFTER_MS <= now,
    );
    const isDue = ({ fact }: Letter) => fact.until > now && !isOver(fact);
    for (const letter of waiting) if (!isDue(letter)) this.#remove(letter.fact.key, letter.fact.name);
    const due = waiting.filter(isDue);
    const kinds = [...new Set(due.map(({ fact }) => fact.kind))];
    // A store must hear what runs before it hears what has ended.
    for (const kind of [...kinds.filter(({ isVital }) => isVital), ...kinds.filter(({ isVital }) => !isVital)]) {
      const together = due.filter(({ fact }) => fact.kind === kind);
      const delivered = this.#deliver(kind, together);
      for (const [index, letter] of together.entries()) letter.sending = delivered.then((problems) => problems[index]);
    }
  }

  /** Resolves with the problem of each. */
  async #deliver(kind: FactKind<unknown>, letters: readonly Letter[]): Promise<readonly unknown[]> {
    let problems: readonly unknown[];
    try {
      problems = await kind.send(letters.map(({ fact }) => fact.about));
    } catch (error) {
      problems = letters.map(() => error);
    }
    for (const [index, letter] of letters.entries()) this.#onDelivered(letter, problems[index]);
    this.#tryLater();
    return problems;
  }

  #onDelivered(letter: Letter, problem: unknown): void {
    const { key, name, kind } = letter.fact;
    delete letter.sending;
    letter.problem = problem;
    if (this.#letters.get(key)?.get(name) !== letter) return;
    const isRepeated = kind.isRepeated && letter.heardAt === undefined;
    if (problem === undefined && isRepeated) letter.heardAt = this.#clock();
    else if (problem === undefined || isClosed(problem)) this.#remove(key, name);
  }

  #remove(key: string, name: string): void {
    const letters = this.#letters.get(key);
    if (letters?.delete(name)) this.#size -= 1;
    if (letters?.size === 0) this.#letters.delete(key);
  }

  /** For a process without requests: the alarm rings in a second. */
  #tryLater(): void {
    if (this.#letters.size > 0) this.#alarm.setFor(Infinity);
  }
}

function isOver({ kind, about }: Fact): boolean {
  return kind.isOver?.(about) === true;
}

function isProblem(problem: unknown): boolean {
  return problem !== undefined;
}

/** True if the store is closed, so that no server will get the fact. */
function isClosed(problem: unknown): boolean {
  return isSluiceError(problem) && problem.code === 'STORE_CLOSED';
}
