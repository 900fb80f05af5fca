// deciding/ decides requests of other programs as the middleware decides its own: the same tiers, store keys, headers and
// problems. Facts of a request enter, and an answer with its headers leaves. It imports rules.
import { createGate, type Gate, type HeaderFormat } from '@sluice/http';
import {
  chain,
  type ConsumeOptions,
  type Decision,
  type Limiter,
  type MaybePromise,
  TieredDecision,
} from '@sluice/core/internal';
import { ServedRequest, type Question } from './served-request.js';
import { ServedResponse } from './served-response.js';
import { TierDecider } from './tier-decider.js';
import type { Facts } from '../rules/facts.js';

/** What is said about a request: what the middleware would have sent, for the program that serves it. */
export interface ServedAnswer {
  readonly decision: Decision;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Of a denial: the status that the middleware would have sent, and its body. */
  readonly denial: { readonly status: number; readonly contentType: string; readonly body: string } | undefined;
}

/** A limiter of the file, for requests of other programs. */
export class ServedLimiter {
  readonly name: string;
  readonly limiter: Limiter<ServedRequest>;
  readonly decider: TierDecider;
  readonly #gate: Gate<ServedRequest>;

  constructor(name: string, limiter: Limiter<ServedRequest>, headers: readonly HeaderFormat[] | undefined) {
    this.name = name;
    this.limiter = limiter;
    this.decider = new TierDecider(limiter);
    this.#gate = createGate<ServedRequest>({
      limiter: asked(limiter, this.decider),
      ...(headers !== undefined && { headers }),
    });
  }

  /** Takes a request back as if it had never been asked. */
  async undo(decision: Decision): Promise<void> {
    await this.decider.undo(decision);
  }

  /**
   * Decides a request. It waits if the request is queued.
   *
   * @returns undefined if the program has gone before. Its place in a queue and its permits are free then, and other charges stay
   * @throws UsageError, as a rejection, for facts that do not say whose request it is
   */
  async ask(facts: Facts, question: Question, response = new ServedResponse()): Promise<ServedAnswer | undefined> {
    const request = new ServedRequest(facts, question, response);
    const admission = await this.#gate.admit(request, response);
    if (admission.state === 'ended' || response.destroyed) {
      await this.#release(this.#gate.decision(request));
      return undefined;
    }
    const { headers } = response;
    // A decision of a gate is there for every request that no option of the gate leaves out, and this one has none.
    if (admission.state === 'admitted') return { decision: wholeOf(admission.decision!), headers, denial: undefined };
    const { problem } = admission;
    const decision = wholeOf(admission.decision);
    const { contentType, text } = await admission.body();
    return { decision, headers, denial: { status: problem.status, contentType, body: text } };
  }

  /** Ends permits of which no program has been told. */
  async #release(decision: Decision | undefined): Promise<void> {
    const whole = decision && wholeOf(decision);
    if (whole !== undefined && TieredDecision.holdsUnits(whole)) await this.limiter.release(whole);
  }
}

/** Decisions as they are, by what a gate is told of them. */
const wholes = new WeakMap<Decision, Decision>();

/** A decision that no gate waits for: a peek is answered at once, however long its request would wait in a queue. */
function withoutDelay(whole: Decision): Decision {
  if (whole.delay === 0) return whole;
  const { allowed, reason, deniedBy, outcomes, binding, retryAfter, source, degraded } = whole;
  const rest = { retryAfter, delay: 0, source, degraded, ...(binding !== undefined && { binding }) };
  const told: Decision = { allowed, reason, deniedBy, outcomes, ...rest };
  wholes.set(told, whole);
  return told;
}

function wholeOf(decision: Decision): Decision {
  return wholes.get(decision) ?? decision;
}

/** A limiter whose requests say which of its tiers count them. Its permits are held elsewhere, so that no gate ends them. */
function asked(limiter: Limiter<ServedRequest>, decider: TierDecider): Limiter<ServedRequest> {
  const decide = (request: ServedRequest, options?: ConsumeOptions): MaybePromise<Decision> => {
    const decided = decider.decide(request, options);
    return ServedRequest.questionOf(request).isPeek ? chain(decided, withoutDelay) : decided;
  };
  const served = {
    decide,
    consume: decide,
    policies: (decision: Decision) => limiter.policies(wholeOf(decision)),
    refund: (...correction: Parameters<typeof limiter.refund>) => limiter.refund(...correction),
    settle: (...correction: Parameters<typeof limiter.settle>) => limiter.settle(...correction),
    facts: { mayHold: false, mayWait: () => false },
  };
  return served as unknown as Limiter<ServedRequest>;
}
