import { impossibleIn } from '../../model/covering.js';
import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { chargingOf, type Claim } from '../../model/claim.js';
import { isAdmitted } from '../../model/outcome.js';
import type { Receipt } from '../../model/receipt.js';
import { Lines } from '../../waiting/lines.js';
import { onAbort } from '../../waiting/on-abort.js';
import type { Waiters } from '../layer.js';
import type { Answer } from '../../model/answer.js';
import type { FullKeys } from './full-keys.js';
import { LinePause } from './line-pause.js';
import type { LinedRequest } from './lined-request.js';
import {
  claimsToWaitFor,
  denialInLine,
  hasRoom,
  isCrowded,
  mayWait,
  NO_WAITERS,
  overtakes,
  policyOf,
  queues,
  turnOf,
  waitOf,
} from './permit-claims.js';

interface LinesContext {
  /** Gives back what a request was charged that waits no longer. It does not fail. */
  readonly giveBack: (receipts: readonly Receipt[]) => void;
  /** Where other processes take units too, and each check is a call. */
  readonly full: FullKeys | undefined;
}

/** A claim for which a request waits, in milliseconds. */
interface LinedClaim {
  readonly claim: Claim;
  readonly wait: number;
}

/**
 * Requests of this process that wait for a permit, in one line for each key. Only the first of a line asks the store: when a
 * permit of this process was released, and else after pauses, because other processes release permits too.
 */
export class WaitingLines {
  readonly #context: LinesContext;
  readonly #lines = new Lines<Answer>(({ outcomes }) => isAdmitted(outcomes));
  /** By the keys of lines. */
  readonly #pauses = new Map<string, LinePause>();
  /** How often permits of this process were released. */
  #released = 0;

  constructor(context: LinesContext) {
    this.#context = context;
  }

  /** Sends a request: immediately, and again when it has waited. */
  send(request: LinedRequest): MaybePromise<Answer> {
    const { group, patience } = request;
    if (this.#isBusy(request)) {
      return group.some((claim) => mayWait(claim, patience)) ? this.#join(request) : denialInLine(request);
    }
    const released = this.#released;
    return chain(this.#attempt(request, NO_WAITERS), (answer) => {
      if (isAdmitted(answer.outcomes)) return answer;
      const joined = this.#join(request, answer);
      // A permit was released behind this check, before its request was in line.
      if (released !== this.#released) this.wake(group.map(({ key }) => key));
      return joined;
    });
  }

  /** Lets the first request of each line try again, because a permit was released. */
  wake(keys: Iterable<string>): void {
    this.#released += 1;
    for (const key of keys) {
      this.#context.full?.forget(key);
      this.#lines.find(key)?.wake();
    }
  }

  /** Denies all that wait. */
  close(): Promise<void> {
    return this.#lines.close();
  }

  /** Denies the requests of a limiter that wait. */
  leave(owner: object): Promise<void> {
    return this.#lines.leave((work) => work.owner === owner);
  }

  /** True if others wait already for a permit that this group takes. */
  #isBusy({ group, patience }: LinedRequest): boolean {
    if (this.#lines.isEmpty) return false;
    const isBehind = group.some((claim) => overtakes(claim, patience) && this.#lines.find(claim.key) !== undefined);
    // What never fits overtakes nobody.
    return isBehind && impossibleIn(group) === undefined;
  }

  /** The answer to a request that was denied, or that others wait before. */
  #join(request: LinedRequest, denial?: Answer): MaybePromise<Answer> {
    const { group, patience } = request;
    const claims =
      denial === undefined ? group.filter((claim) => mayWait(claim, patience)) : claimsToWaitFor(request, denial);
    const first = claims.find(({ key }) => this.#lines.find(key) !== undefined) ?? claims[0];
    if (first === undefined) return denial!;
    if (!hasRoom(first, patience, this.#lines.find(first.key))) return this.#deny(request, denial);
    return this.#wait(
      request,
      { claim: first, wait: Math.min(...claims.map((each) => waitOf(each, patience))) },
      denial,
    );
  }

  async #wait(request: LinedRequest, { claim, wait }: LinedClaim, denial?: Answer): Promise<Answer> {
    const { owner, patience } = request;
    const { key } = claim;
    const turn = turnOf(claim);
    const { turns } = policyOf(claim);
    let latest = denial;
    const pauses = this.#pauses.get(key) ?? new LinePause();
    this.#pauses.set(key, pauses);
    const line = turn === undefined ? this.#lines.open(key, 1) : this.#lines.open(key, 1, () => turns!(isCrowded));
    const answer = await line.enter(
      {
        ask: () =>
          this.#attempt(request, {
            others: line.size > 1,
            ofCaller: turn !== undefined && line.sizeOf(turn.caller) > 0,
          }),
        pauseAfter: (denied) => {
          if (claimsToWaitFor(request, denied).length === 0) return undefined;
          latest = denied;
          return pauses.next();
        },
        giveBack: ({ receipts }) => this.#context.giveBack(receipts),
        wait,
        turn,
        owner,
        onLeave: (leave) => onAbort(patience?.signal, leave),
      },
      denial,
    );
    if (line.size === 0) this.#pauses.delete(key);
    else if (answer !== undefined && isAdmitted(answer.outcomes)) pauses.begin();
    return answer ?? this.#deny(request, latest);
  }

  /** Sends a request. While it may wait, tiers that charge denied requests are not charged. */
  #attempt(request: LinedRequest, waiters: Waiters): MaybePromise<Answer> {
    const { group } = request;
    const { giveBack } = this.#context;
    if (!isChargedWhenDenied(request)) return this.#ask(request, waiters);
    const onDecided = (answer: Answer) => {
      // Another process was faster.
      if (claimsToWaitFor(request, answer).length > 0) giveBack(chargedToAll(group, answer));
      return answer;
    };
    return chain(request.peek(), (answer) =>
      claimsToWaitFor(request, answer).length > 0 ? answer : chain(request.send(waiters), onDecided),
    );
  }

  /** Sends a request that is charged if it is admitted: without a call if the store has just given its last unit to another one. */
  #ask(request: LinedRequest, waiters: Waiters): MaybePromise<Answer> {
    const { group, patience } = request;
    const { full } = this.#context;
    if (full === undefined || !group.some((claim) => queues(claim, patience))) return request.send(waiters);
    const mayAllWait = group.every((claim) => !queues(claim, patience) || mayWait(claim, patience));
    if (mayAllWait && full.take(request)) return denialInLine(request);
    const released = this.#released;
    return chain(request.send(waiters), (answer) => {
      if (released === this.#released && isAdmitted(answer.outcomes)) full.note(group, answer);
      return answer;
    });
  }

  /** Denies a request that waits no longer. Now tiers that charge denied requests are charged. */
  #deny(request: LinedRequest, denial = denialInLine(request)): MaybePromise<Answer> {
    return isChargedWhenDenied(request) ? request.send(NO_WAITERS) : denial;
  }
}

/** True for a group that may wait, with a tier that charges denied requests. */
function isChargedWhenDenied({ group, patience }: LinedRequest): boolean {
  return group.some((claim) => chargingOf(claim) !== 'admitted') && group.some((claim) => mayWait(claim, patience));
}

function chargedToAll(group: readonly Claim[], { receipts }: Answer): readonly Receipt[] {
  return receipts.filter(({ key }) => group.some((claim) => claim.key === key && chargingOf(claim) === 'all'));
}
