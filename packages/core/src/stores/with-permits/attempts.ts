import type { PermitPolicy } from '../../algorithms/concurrency/permit-policy.js';
import { chain, isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import type { Facts } from './facts.js';
import type { Charge, Passage, Recover } from '../layer.js';
import type { PermitStore } from '../store.js';
import { withReached, type Answer } from '../../model/answer.js';
import { isPermit, type HeldPermits } from './held-permits.js';
import type { Pauses } from './pauses.js';
import { knownDenial, namedClaim, NO_WAITERS, policyOf, takesPermit } from './permit-claims.js';
import type { Releases } from './releases.js';
import type { Renewals } from './renewals.js';

interface AttemptContext {
  readonly below: { readonly consume: Charge };
  readonly target: PermitStore;
  readonly held: HeldPermits;
  readonly outbox: Facts;
  readonly renewals: Renewals;
  readonly releases: Releases;
  readonly pauses: Pauses | undefined;
  readonly recover: Recover;
  /** It does not fail. */
  readonly giveBack: (receipts: readonly Receipt[]) => void;
  /** The policy of requests that wait in line. */
  readonly waitingPolicy: (policy: PermitPolicy) => PermitPolicy;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Asks the store for permits, which first hears what it must know, and holds those that it gives. */
export class Attempts {
  readonly #context: AttemptContext;

  constructor(context: AttemptContext) {
    this.#context = context;
  }

  decide(passage: Passage): MaybePromise<Answer> {
    const { group, patience, facts, waiters = NO_WAITERS } = passage;
    const { held, target, outbox, renewals, waitingPolicy, clock } = this.#context;
    const now = clock();
    const known = knownDenial(passage, held, now);
    if (known) return known;
    // Before the local store decides, too.
    renewals.catchUp(now);
    const mayAnswer = target.outageOf?.(group) === undefined;
    const heard = mayAnswer ? outbox.before(group) : undefined;
    const wasSent = mayAnswer && (heard === undefined || isPromise(heard));
    const named = group.map((claim) => namedClaim(claim, { held, waiters, patience, waitingPolicy }));
    const onAnswer = (answer: Answer) => this.#onAnswer(named, answer, now, wasSent);
    const onError = (error: unknown): never => {
      if (wasSent) this.#releaseUnknown(named, now);
      throw error;
    };
    try {
      return chain(this.#ask(named, facts, heard), onAnswer, onError);
    } catch (error) {
      return onError(error);
    }
  }

  /** The answer of the store. One that has not heard what it must know counts as one that has failed. */
  #ask(named: readonly Claim[], facts: Passage['facts'], heard: MaybePromise<unknown>): MaybePromise<Answer> {
    const { below, recover, giveBack } = this.#context;
    if (heard === undefined) return below.consume(named, facts);
    if (!isPromise(heard)) return recover(heard, named);
    const onAnswer = (answer: Answer) =>
      chain(heard, (problem) => {
        if (problem === undefined || answer.fallback !== undefined) return answer;
        // A pause stays: it must be heard in any case.
        giveBack(answer.receipts.filter(({ policy }) => !policy.algorithm.chargesNobody));
        return chain(recover(problem, named), (recovered) => withReached(recovered, answer.reached));
      });
    return chain(below.consume(named, facts), onAnswer);
  }

  #onAnswer(named: readonly Claim[], answer: Answer, sentAt: number, wasSent: boolean): Answer {
    const { target, outbox, renewals, pauses } = this.#context;
    const given = answer.receipts.filter(isPermit);
    const mayBeStored = wasSent && answer.untouched !== true;
    const requests = mayBeStored ? 1 : 0;
    for (const receipt of given) renewals.add(receipt, sentAt, { requests, isLocal: receipt.source === 'local' });
    if (answer.fallback === undefined) {
      // Another store does not call back when it answers again.
      if (target.link === undefined) void outbox.sendAll();
      return answer;
    }
    if (pauses !== undefined) outbox.keep(pauses.of(named, sentAt));
    const unknown = named.filter(({ name }) => !given.some((receipt) => receipt.name === name));
    if (mayBeStored) this.#releaseUnknown(unknown, sentAt);
    return answer;
  }

  /** The store may have charged claims whose answer never came. */
  #releaseUnknown(claims: readonly Claim[], sentAt: number): void {
    const ended = claims.filter(takesPermit).map((claim) => {
      const { tier, key, cost, name } = claim;
      const policy = policyOf(claim);
      const receipt = { tier, key, policy, units: cost, at: 0, until: 0, name: name!, of: cost };
      return { receipt, unanswered: 1 };
    });
    if (ended.length > 0) void this.#context.releases.add(ended, sentAt);
  }
}
