import type { Policy } from '@sluice/core';
import type { HeaderFormat } from '@sluice/http';
import {
  type AbleStore,
  type Decision,
  handOver,
  type SharedLimiterOptions,
  TieredDecision,
} from '@sluice/core/internal';
import type { Policies } from '@sluice/policies';
import { ReceiptDesk } from '../receipts/receipt-desk.js';
import type { ReceiptSeal } from '../receipts/receipt.js';
import type { Descriptor } from '../rules/descriptor.js';
import type { Facts } from '../rules/facts.js';
import { NO_RULES, type Rules } from '../rules/rule.js';
import { roundsOf, type Round, type TierWindow, UnfitRequest } from './round.js';
import { ServedLimiter, type ServedAnswer } from './served-limiter.js';
import type { Question, ServedRequest } from './served-request.js';
import { ServedResponse } from './served-response.js';

export interface ServiceContext {
  /** The file, for messages. */
  readonly file: string;
  readonly limiterOptions: SharedLimiterOptions<ServedRequest> & { readonly store: AbleStore; readonly prefix: string };
  readonly headers: readonly HeaderFormat[] | undefined;
  readonly seal: ReceiptSeal;
  /** How long receipts are taken, in milliseconds. */
  readonly receiptLife: number;
}

/** A request to a limiter, by the facts of it. */
export interface Check {
  readonly limiter: string;
  readonly facts: Facts;
  readonly question: Omit<Question, 'tiers'>;
}

/** The descriptors of a request, which are decided together. */
export interface DescriptorCheck {
  readonly domain: string;
  readonly descriptors: readonly Descriptor[];
  readonly cost: number;
}

export interface Answered {
  readonly round: Round;
  readonly answer: ServedAnswer;
  /** Of the outcomes, in their order. */
  readonly policies: readonly Policy[];
}

/** Decides requests of all protocols by the limits of a file. */
export class Service {
  readonly receipts: ReceiptDesk;
  readonly #context: ServiceContext;
  readonly #limiters = new Map<string, ServedLimiter>();
  #policies: Policies<ServedRequest> | undefined;
  #rules: Rules = NO_RULES;

  constructor(context: ServiceContext) {
    const { limiterOptions, seal, receiptLife: life } = context;
    const { store, prefix } = limiterOptions;
    this.#context = context;
    this.receipts = new ReceiptDesk({ seal, store, prefix, life, limiterOf: (name) => this.#correctedOf(name) });
  }

  get rules(): Rules {
    return this.#rules;
  }

  /** The rules of a file come in force with its limits. */
  takeRules(rules: Rules): void {
    this.#rules = rules;
  }

  /** Makes the limiters of the file. */
  open(policies: Policies<ServedRequest>): void {
    this.#policies = policies;
    for (const name of this.#rules.limiters) this.#limiterOf(name, 'limiter');
  }

  /** The answer about a request. Undefined if its program has gone before. */
  async check({ limiter, facts, question }: Check, response?: ServedResponse): Promise<ServedAnswer | undefined> {
    const answer = await this.#limiterOf(limiter, 'limiter').ask(facts, { ...question, tiers: undefined }, response);
    if (answer !== undefined) leave(answer);
    return answer;
  }

  /** The receipt of answers of a limiter about one request. */
  receiptOf(limiter: string, ...decisions: readonly Decision[]): string | undefined {
    return this.receipts.write(this.#correctedOf(limiter)!, ...decisions);
  }

  /**
   * The answers about the descriptors of a request. When a later round denies or fails, or its program has gone, the rounds before
   * are taken back, so that only an admitted request is charged. Undefined if its program has gone before.
   */
  async checkDescriptors(
    { domain, descriptors, cost }: DescriptorCheck,
    response = new ServedResponse(),
  ): Promise<readonly Answered[] | undefined> {
    const served = this.#limiterOf(domain, 'domain');
    const { file } = this.#context;
    const windowOf = (name: string) => windowIn(served, name);
    const rounds = roundsOf(descriptors, { rules: this.#rules, limiter: domain, windowOf, file });
    const answered: Answered[] = [];
    let isAdmitted = false;
    try {
      for (const round of rounds) {
        // A queue lets a read pass.
        const isPeek = round.tiers.every(({ hits }) => hits === 0);
        const question = { tiers: round.tiers, cost, isPeek };
        const answer = await served.ask(round.facts, question, rounds.length === 1 ? response : response.next());
        if (answer === undefined) return undefined;
        answered.push({ round, answer, policies: served.limiter.policies(answer.decision) });
        if (!answer.decision.allowed) return answered;
      }
      isAdmitted = true;
      for (const { answer } of answered) leave(answer);
      return answered;
    } finally {
      if (!isAdmitted) await Promise.all(answered.map(({ answer }) => takeBack(served, answer)));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#limiters.values()].map(({ limiter }) => limiter.close()));
  }

  /** @throws UnfitRequest for a limiter that the file does not have */
  #limiterOf(name: string, option: 'limiter' | 'domain'): ServedLimiter {
    const known = this.#limiters.get(name);
    if (known !== undefined) return known;
    const { limiters } = this.#rules;
    if (!limiters.has(name)) {
      const names = [...limiters].join(', ');
      throw new UnfitRequest(
        `${option} must be a limiter of ${this.#context.file}, which has ${names}, got ${shown(name)}`,
      );
    }
    const { limiterOptions, headers } = this.#context;
    const made = new ServedLimiter(name, this.#policies!.limiter(name, limiterOptions), headers);
    this.#limiters.set(name, made);
    return made;
  }

  #correctedOf(name: string) {
    const found =
      this.#limiters.get(name) ?? (this.#rules.limiters.has(name) ? this.#limiterOf(name, 'limiter') : undefined);
    return found && { name, limiter: found.limiter, requests: found.decider.requests as never };
  }
}

/** Leaves permits to the program that has asked. Before that they are of this process, which can end them. */
function leave({ decision }: ServedAnswer): void {
  if (TieredDecision.holdsUnits(decision)) handOver(decision);
}

/** What an admitted round has charged. That of a denial stays: a tier may charge all requests. */
async function takeBack(served: ServedLimiter, { decision }: ServedAnswer): Promise<void> {
  if (decision.allowed) await served.undo(decision);
}

function windowIn({ decider }: ServedLimiter, name: string): TierWindow | undefined {
  const policy = decider.tiers.find((tier) => tier.name === name)?.policy;
  return policy && { name, window: policy.window, period: policy.calendar?.period };
}

/** Clients choose it. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
