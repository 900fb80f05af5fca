import type { HeldPolicy } from '../../model/held-policy.js';
import { chain, Deferred } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Answer } from '../store.js';

/** The first pause between two attempts, and the longest. Each is twice as long as the one before. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;

/** A request that waits for a permit. */
interface Waiter {
  readonly group: readonly Claim[];
  readonly answer: Deferred<Answer>;
  /** The denial that it gets when its time is over. Undefined until it was first in its line. */
  denial: Answer | undefined;
  /** Ends its timer and its listener. */
  readonly leave: () => void;
}

interface LinesContext {
  /** Decides a group again. */
  readonly attempt: (group: readonly Claim[]) => MaybePromise<Answer>;
  /** Gives back what a request was charged that waits no longer. */
  readonly giveBack: (answer: Answer) => void;
}

/**
 * Requests of this process that wait for a permit, in one line for each key. Only the first of a line asks the store: when
 * a permit of this process was released, and else after pauses.
 */
export class WaitingLines {
  readonly #context: LinesContext;
  readonly #lines = new Map<string, WaitingLine>();

  constructor(context: LinesContext) {
    this.#context = context;
  }

  /** True if others wait already for a permit that this group would wait for too. */
  isBusy(group: readonly Claim[]): boolean {
    return this.#lines.size > 0 && group.some((claim) => mayWait(claim) && this.#lines.has(claim.key));
  }

  /** The answer to a group that was denied: at once, or when it has waited. */
  join(group: readonly Claim[], denial?: Answer): MaybePromise<Answer> {
    const claims = denial === undefined ? group.filter(mayWait) : claimsToWaitFor(group, denial);
    const [first] = claims;
    if (first === undefined || isAborted(first)) return denial ?? this.#context.attempt(group);
    const line = this.#lines.get(first.key) ?? this.#open(first.key);
    if (line.size >= policyOf(first).queue) return denial ?? this.#context.attempt(group);
    const wait = Math.min(...claims.map((claim) => policyOf(claim).wait));
    return line.join(group, denial, wait);
  }

  /** Has the first of each line try again: a permit was released. */
  wake(keys: Iterable<string>): void {
    if (this.#lines.size === 0) return;
    for (const key of keys) this.#lines.get(key)?.tryFirst();
  }

  /** Denies all that wait. */
  close(): void {
    for (const line of this.#lines.values()) line.close();
  }

  #open(key: string): WaitingLine {
    const line = new WaitingLine(this.#context, () => this.#lines.delete(key));
    this.#lines.set(key, line);
    return line;
  }
}

class WaitingLine {
  readonly #context: LinesContext;
  readonly #onEmpty: () => void;
  readonly #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE_MS;
  #isTrying = false;
  #wasWoken = false;

  constructor(context: LinesContext, onEmpty: () => void) {
    this.#context = context;
    this.#onEmpty = onEmpty;
  }

  get size(): number {
    return this.#waiters.length;
  }

  join(group: readonly Claim[], denial: Answer | undefined, wait: number): Deferred<Answer> {
    const answer = new Deferred<Answer>();
    const onEnd = () => this.#giveUp(waiter);
    const timer = setTimeout(onEnd, wait);
    const signal = group.find((claim) => claim.signal)?.signal;
    signal?.addEventListener('abort', onEnd);
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onEnd);
    };
    const waiter: Waiter = { group, answer, denial, leave };
    this.#waiters.push(waiter);
    if (this.size === 1) this.#tryLater();
    return answer;
  }

  tryFirst(): void {
    const [first] = this.#waiters;
    if (first === undefined) return;
    if (this.#isTrying) {
      this.#wasWoken = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#isTrying = true;
    this.#wasWoken = false;
    const onAnswer = (answer: Answer) => this.#onAnswer(first, answer);
    const onError = (error: unknown) => {
      this.#isTrying = false;
      this.#remove(first);
      first.answer.reject(error);
      this.tryFirst();
    };
    try {
      void chain(this.#context.attempt(first.group), onAnswer, onError);
    } catch (error) {
      onError(error);
    }
  }

  close(): void {
    for (const waiter of this.#waiters.slice()) this.#giveUp(waiter);
  }

  #onAnswer(waiter: Waiter, answer: Answer): void {
    this.#isTrying = false;
    if (!this.#waiters.includes(waiter)) {
      this.#context.giveBack(answer);
      this.tryFirst();
      return;
    }
    if (claimsToWaitFor(waiter.group, answer).length > 0) {
      waiter.denial = answer;
      if (this.#wasWoken) this.tryFirst();
      else this.#tryLater();
      return;
    }
    this.#pause = FIRST_PAUSE_MS;
    this.#remove(waiter);
    waiter.answer.resolve(answer);
    // There may be room for the next one too.
    this.tryFirst();
  }

  #giveUp(waiter: Waiter): void {
    if (!this.#waiters.includes(waiter)) return;
    const wasFirst = this.#waiters[0] === waiter;
    this.#remove(waiter);
    try {
      waiter.answer.resolve(waiter.denial ?? this.#context.attempt(waiter.group));
    } catch (error) {
      // A timer has no caller that could catch it.
      waiter.answer.reject(error);
    }
    if (wasFirst) this.tryFirst();
  }

  #remove(waiter: Waiter): void {
    waiter.leave();
    const place = this.#waiters.indexOf(waiter);
    if (place >= 0) this.#waiters.splice(place, 1);
    if (this.size > 0) return;
    clearTimeout(this.#timer);
    this.#onEmpty();
  }

  /** The pause is random, so that processes do not ask at the same time. */
  #tryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.tryFirst(), this.#pause * (0.5 + Math.random() / 2)).unref();
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
  }
}

function policyOf({ policy }: Claim): HeldPolicy {
  return policy as HeldPolicy;
}

function mayWait({ policy, shadow, cost }: Claim): boolean {
  return policy.held === true && !shadow && cost > 0 && (policy as HeldPolicy).wait > 0;
}

function isAborted({ signal }: Claim): boolean {
  return signal?.aborted === true;
}

/** The claims that deny, if all of them may wait for a permit. */
function claimsToWaitFor(group: readonly Claim[], { outcomes, fallback }: Answer): readonly Claim[] {
  if (fallback === 'deny') return [];
  const claims: Claim[] = [];
  for (const { tier, allowed, shadow, never } of outcomes) {
    if (allowed || shadow) continue;
    const claim = group.find((each) => each.tier === tier);
    if (never || claim === undefined || !mayWait(claim)) return [];
    claims.push(claim);
  }
  return claims;
}
