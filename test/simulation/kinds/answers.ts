import type { Fleet } from '../fleet.js';
import type { SentRequest } from '../requests.js';
import { START } from '../world/globals.js';

/** How units of a rate expire, for the laws of its answers. Milliseconds. */
export interface Expiry {
  /** How long a unit counts certainly. Undefined where it counts for a part of its time only. */
  readonly certain: number | undefined;
  /** Until no unit counts any more. */
  readonly longest: number;
}

/** Clocks of two machines. */
const DRIFT = 1.001;
/** `retryAfter` is in whole milliseconds. */
const ROUNDING_MS = 1;
/** Milliseconds for which a command of a request that has failed may still arrive. */
const LATE_MS = 10_000;
/** Milliseconds of wall clocks about the end of an override. */
const END_MS = 10;

/** What clients are promised by the fields of decisions about one key: `remaining`, `retryAfter` and `resetAfter`. */
export class Answers {
  readonly #fleet: Fleet;
  readonly #expiry: Expiry;
  /** In the order in which they were sent. */
  readonly #all: readonly SentRequest[];

  constructor(fleet: Fleet, expiry: Expiry, all: readonly SentRequest[]) {
    this.#fleet = fleet;
    this.#expiry = expiry;
    this.#all = all;
  }

  check(): void {
    // Counts of a clock that has jumped back are ahead of it.
    if (this.#fleet.delays.length > 0) return;
    for (const [place, each] of this.#all.entries()) {
      const { decision } = each;
      if (decision === undefined || decision.source === 'local' || decision.outcomes.length === 0) continue;
      this.#checkFields(each);
      if (decision.allowed) this.#checkRemaining(each);
      else if (decision.reason === 'denied') this.#checkWait(each, this.#all.slice(place + 1));
    }
  }

  #checkFields({ decision, cost, answeredAt }: SentRequest): void {
    const { allowed, limit, remaining, retryAfter, replenishAfter, resetAfter } = decision!.outcomes[0]!;
    const isRight = allowed
      ? remaining >= 0 && remaining <= limit - cost && retryAfter === 0
      : remaining >= 0 && remaining < cost && retryAfter > 0;
    const longest = this.#expiry.longest * DRIFT + ROUNDING_MS;
    if (isRight && replenishAfter <= resetAfter && resetAfter <= longest) return;
    this.#fail(answeredAt, `an answer to ${cost} of ${limit} has ${JSON.stringify(decision!.outcomes[0])}`);
  }

  /** What was charged before, and counts yet, is not left. */
  #checkRemaining({ decision, cost, sentAt, answeredAt }: SentRequest): void {
    const { certain } = this.#expiry;
    if (certain === undefined || decision!.source !== 'redis') return;
    const from = answeredAt - certain / DRIFT + ROUNDING_MS;
    if (this.#hasJumped(from, answeredAt)) return;
    let used = cost;
    for (const other of this.#all) {
      if (other.sentAt < from || other.answeredAt > sentAt) continue;
      if (other.decision?.allowed === true && other.decision.source === 'redis') used += other.cost;
    }
    const { limit, remaining } = decision!.outcomes[0]!;
    if (remaining <= limit - used) return;
    this.#fail(answeredAt, `${remaining} of ${limit} are left, although ${used} count`);
  }

  /** A wait is long enough if no other request is charged, and nothing is admitted before its end. */
  #checkWait(denied: SentRequest, later: readonly SentRequest[]): void {
    const { retryAfter, limit } = denied.decision!.outcomes[0]!;
    const fitsFrom = denied.sentAt + retryAfter / DRIFT - ROUNDING_MS - 1;
    const fitsAt = denied.answeredAt + retryAfter * DRIFT + ROUNDING_MS;
    for (const each of later) {
      const { decision, cost, sentAt, answeredAt } = each;
      if (decision === undefined || decision.outcomes.length === 0) continue;
      const other = decision.outcomes[0]!.limit;
      const hasLosses = this.#fleet.losses.length > 0;
      if (hasLosses && this.#hasJumped(Math.min(denied.sentAt, this.#knownAt(each)), answeredAt)) continue;
      const wait = `waits ${retryAfter} ms from ${denied.answeredAt.toFixed(2)}`;
      if (decision.source === 'redis' && decision.allowed) {
        // An exact answer, not one of the deny cache, which is sure of a part of its wait.
        if (denied.decision!.source !== 'redis' || cost < denied.cost || other > limit) continue;
        if (sentAt < denied.answeredAt || answeredAt >= fitsFrom) continue;
        // A charge by a limit that moves turns counters into a log, and then their units are known to be older.
        if (this.#moves && this.#isCharged(denied, each)) continue;
        this.#fail(answeredAt, `${cost} are admitted early: ${denied.cost} ${wait}`);
      } else if (decision.reason === 'denied' && decision.source !== 'local') {
        if (cost > denied.cost || other < limitAfterWait(denied) || sentAt < fitsAt || this.#isCharged(denied, each))
          continue;
        this.#fail(answeredAt, `${cost} are denied: ${denied.cost} ${wait}`);
      }
    }
  }

  /** Another request was charged, or may have been, between the decisions about two. */
  #isCharged(first: SentRequest, second: SentRequest): boolean {
    const from = this.#knownAt(first);
    return this.#all.some((each) => {
      if (each === first || each === second || each.sentAt > second.answeredAt) return false;
      if (each.decision === undefined || each.decision.degraded) return each.sentAt > from - LATE_MS;
      return each.decision.allowed && each.answeredAt > from;
    });
  }

  /** The deny cache answers by what Redis has said, and knows of no charge after that. */
  #knownAt({ member, sentAt, decision }: SentRequest): number {
    if (decision!.source === 'redis') return sentAt;
    const remembered = this.#all.find(
      (each) =>
        each.member === member &&
        each.decision?.source === 'redis' &&
        each.answeredAt <= sentAt &&
        each.answeredAt + each.decision.retryAfter >= sentAt,
    );
    return remembered?.sentAt ?? -Infinity;
  }

  /** Requests have had several limits. */
  get #moves(): boolean {
    return new Set(this.#all.map(({ limit }) => limit)).size > 1;
  }

  #hasJumped(from: number, to: number): boolean {
    return this.#fleet.losses.some((at) => at >= from && at <= to);
  }

  #fail(at: number, problem: string): void {
    this.#fleet.world.fail(`${this.#all[0]!.key} at ${at.toFixed(2)}: ${problem}`);
  }
}

/** The limit that admits a denied request after its wait: that of its tier where its override ends before. */
function limitAfterWait({ decision, limit: limitOfTier, answeredAt }: SentRequest): number {
  const { retryAfter, limit, override } = decision!.outcomes[0]!;
  const endsAt = (override?.until ?? Infinity) - START;
  const waitsUntil = answeredAt + retryAfter;
  if (limitOfTier === undefined || waitsUntil < endsAt - END_MS) return limit;
  return waitsUntil > endsAt + END_MS ? limitOfTier : Math.max(limit, limitOfTier);
}
