import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../store.js';
import { denialInLine } from './known-denial.js';
import { claimsToWaitFor, mayWait, policyOf, queues, waitOf } from './permit-claims.js';
import { WaitingLine } from './waiting-line.js';

interface LinesContext {
  /** Decides a group. */
  readonly attempt: (group: readonly Claim[]) => MaybePromise<Answer>;
  readonly peek: (group: readonly Claim[]) => MaybePromise<Answer>;
  /** Gives back what a request was charged that waits no longer. It does not fail. */
  readonly giveBack: (receipts: readonly Receipt[]) => void;
}

/** Requests of this process that wait for a permit, in one line for each key. */
export class WaitingLines {
  readonly #context: LinesContext;
  readonly #lines = new Map<string, WaitingLine>();

  constructor(context: LinesContext) {
    this.#context = context;
  }

  /** Decides a group: at once, or when it has waited. */
  consume(group: readonly Claim[]): MaybePromise<Answer> {
    if (this.#isBusy(group)) return group.some(mayWait) ? this.#join(group) : denialInLine(group);
    return chain(this.#attempt(group), (answer) => (isDenied(answer) ? this.#join(group, answer) : answer));
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

  /** True if others wait already for a permit that this group takes. */
  #isBusy(group: readonly Claim[]): boolean {
    return this.#lines.size > 0 && group.some((claim) => queues(claim) && this.#lines.has(claim.key));
  }

  /** The answer to a group that was denied, or that others wait before. */
  #join(group: readonly Claim[], denial?: Answer): MaybePromise<Answer> {
    const claims = denial === undefined ? group.filter(mayWait) : claimsToWaitFor(group, denial);
    const first = claims.find(({ key }) => this.#lines.has(key)) ?? claims[0];
    if (first === undefined) return denial!;
    const line = this.#lines.get(first.key);
    const isFull = line !== undefined && line.size >= policyOf(first).queue;
    if (isFull || first.signal?.aborted) return this.#deny(group, denial);
    const wait = Math.min(...claims.map(waitOf));
    return (line ?? this.#open(first.key)).join(group, denial, wait);
  }

  #open(key: string): WaitingLine {
    const line = new WaitingLine({
      attempt: (group) => this.#attempt(group),
      deny: (group, denial) => this.#deny(group, denial),
      giveBack: ({ receipts }) => this.#context.giveBack(receipts),
      onEmpty: () => this.#lines.delete(key),
    });
    this.#lines.set(key, line);
    return line;
  }

  /** Decides a group. While it may wait, tiers that charge denied requests are not charged. */
  #attempt(group: readonly Claim[]): MaybePromise<Answer> {
    const { attempt, peek, giveBack } = this.#context;
    if (!isChargedWhenDenied(group)) return attempt(group);
    const onDecided = (answer: Answer) => {
      // Another process was faster.
      if (claimsToWaitFor(group, answer).length > 0) giveBack(chargedToAll(group, answer));
      return answer;
    };
    return chain(peek(group), (answer) =>
      claimsToWaitFor(group, answer).length > 0 ? answer : chain(attempt(group), onDecided),
    );
  }

  /** Denies a group that waits no longer. Now tiers that charge denied requests are charged. */
  #deny(group: readonly Claim[], denial = denialInLine(group)): MaybePromise<Answer> {
    return isChargedWhenDenied(group) ? this.#context.attempt(group) : denial;
  }
}

function isDenied({ outcomes }: Answer): boolean {
  return outcomes.some(({ allowed, shadow }) => !allowed && !shadow);
}

/** True for a group that may wait, with a tier that charges denied requests. */
function isChargedWhenDenied(group: readonly Claim[]): boolean {
  return group.some(({ charge }) => charge !== 'admitted') && group.some(mayWait);
}

function chargedToAll(group: readonly Claim[], { receipts }: Answer): readonly Receipt[] {
  return receipts.filter(({ key }) => group.some((claim) => claim.key === key && claim.charge === 'all'));
}
