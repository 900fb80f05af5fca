import {
  algorithmOf,
  type Claim,
  type ConsumeTrace,
  lateMarks,
  type OnReached,
  type PendingCheck,
  reachedIn,
  type Ruling,
  type StoreError,
} from '@sluice/core/internal';
import type { CallRequest } from '../connection/call.js';
import { unreadableKey } from '../connection/classify-error.js';
import { SamePolicyChecks } from '../encoding/same-policy-checks.js';
import { MixedGroups } from '../encoding/mixed-groups.js';
import type { Check, DecodedReply, ScriptRequest } from '../encoding/script-request.js';
import { plainAnswer, RateAnswer } from './rate-answer.js';

/** Requests in a batch. */
const MAX_CHECKS = 32;
const MAX_CLAIMS = 96;
/** Units that are entries of their own, which Redis writes. */
const MAX_ENTRIES = 1_000;

const NO_CONSUMES: readonly ConsumeTrace[] = Object.freeze([]);

/** Checks that one script call decides. */
export class Batch implements CallRequest {
  /** In milliseconds of `performance.now()`. */
  readonly createdAt: number;
  readonly #isCluster: boolean;
  readonly #checks: PendingCheck[] = [];
  /** How many checks it has. */
  groups = 0;
  isFull = false;
  #request: ScriptRequest | undefined;
  #claims = 0;
  #entries = 0;

  constructor(createdAt: number, isCluster: boolean) {
    this.createdAt = createdAt;
    this.#isCluster = isCluster;
  }

  /** Adds a check. False where there is no room for it: an empty batch has room for any. */
  add(check: PendingCheck): boolean {
    const claims = this.#claims + check.group.length;
    let entries = this.#entries;
    for (const { policy, cost } of check.group) {
      if (algorithmOf(policy).storesUnits) entries += Math.min(cost, policy.capacity);
    }
    if (this.groups > 0 && (this.isFull || claims > MAX_CLAIMS || entries > MAX_ENTRIES)) return false;
    this.groups = this.#checks.push(check);
    this.#claims = claims;
    this.#entries = entries;
    this.isFull = this.groups >= MAX_CHECKS || claims >= MAX_CLAIMS || entries >= MAX_ENTRIES;
    return true;
  }

  /** Encodes the checks, once. No check may be added after that. */
  encode(): ScriptRequest {
    this.#request ??= encodeChecks(this.#checks, this.#isCluster);
    return this.#request;
  }

  /** The context of each `consume` that is followed, which is rarely any. */
  get consumes(): readonly ConsumeTrace[] {
    let consumes = NO_CONSUMES;
    for (const check of this.#checks) {
      const trace = check.facts?.trace as ConsumeTrace | undefined;
      if (trace !== undefined && !consumes.includes(trace)) consumes = [...consumes, trace];
    }
    return consumes;
  }

  decode(reply: unknown): DecodedReply {
    return this.encode().decode(reply);
  }

  resolve({ now, rulings }: DecodedReply): void {
    for (let index = 0; index < rulings.length; index += 1) {
      const check = this.#checks[index]!;
      const ruled = rulings[index]!;
      if (typeof ruled === 'string') rejectCheck(check, unreadableKey(ruled));
      else this.#resolveCheck(check, ruled, now);
    }
  }

  /** An error must not keep the other checks from their answers. */
  #resolveCheck(check: PendingCheck, rulings: readonly Ruling[], now: number): void {
    const { group, facts } = check;
    const answer = check.answer!;
    try {
      if (facts?.onReached !== undefined) tellMarks(group, rulings, facts.onReached);
      const given = new RateAnswer(group, rulings, now, this.createdAt);
      answer.resolve(check.onAnswer(check.isPlain ? plainAnswer(given, reachedIn(group, rulings)) : given));
    } catch (error) {
      answer.reject(error);
    }
  }

  /** A late reply has charged its checks, and tells once which marks they have reached. */
  late(reply: unknown): void {
    if (this.#checks.every((check) => lateListenerOf(check) === undefined)) return;
    let decoded: DecodedReply;
    try {
      decoded = this.decode(reply);
    } catch {
      // It was not the reply of a script, so nothing is known of a mark.
      return;
    }
    for (const [index, check] of this.#checks.entries()) {
      const ruled = decoded.rulings[index]!;
      const onReached = lateListenerOf(check);
      if (typeof ruled !== 'string' && onReached !== undefined) tellMarks(check.group, ruled, onReached);
    }
  }

  reject(error: StoreError): void {
    for (const check of this.#checks) rejectCheck(check, error);
  }
}

/** Tells the marks that charges have reached, once, whatever becomes of their request. */
function tellMarks(group: readonly Claim[], rulings: readonly Ruling[], onReached: OnReached): void {
  const reached = reachedIn(group, rulings);
  if (reached !== undefined) onReached(reached);
}

/** Who hears of the marks of a late reply. A check of a store that a program wraps has no facts: its claims know. */
function lateListenerOf({ group, facts }: PendingCheck): OnReached | undefined {
  return facts?.onReached ?? group.flatMap((claim) => lateMarks.get(claim) ?? [])[0];
}

function rejectCheck(check: PendingCheck, error: StoreError): void {
  const answer = check.answer!;
  try {
    answer.resolve(check.onError(error));
  } catch (reason) {
    answer.reject(reason);
  }
}

/** Encodes checks for one script call, in the shortest form that can say them. */
export function encodeChecks(checks: readonly Check[], isCluster = false): ScriptRequest {
  return SamePolicyChecks.of(checks, isCluster) ?? new MixedGroups(checks, isCluster);
}
