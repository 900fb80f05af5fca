import { isLocal, LAG_MS, type Requests, type SentRequest } from '../requests.js';

export interface PermitTerms {
  readonly limit: number;
  /** Milliseconds. */
  readonly hold: number;
  readonly wait: number;
  /** Units that a process gives alone. */
  readonly own: number;
  /** Callers share the limit: units are kept free for those that ask less often. */
  readonly isFair: boolean;
}

/** Clocks of two machines. */
const DRIFT = 1.002;
/** From the renewal before a death until Redis has heard of it. */
const WAYS_MS = 100;

/** What holds for requests of one key: which of them Redis denies, what a process gives alone, and who comes first. */
export class PermitLaws {
  readonly #requests: Requests;
  readonly #faults: () => readonly string[];
  readonly #terms: PermitTerms;
  /** Requests whose work has ended. */
  readonly #ended = new Set<SentRequest>();
  /** When their processes have learnt that Redis has released their permits. */
  readonly #releasedAt = new Map<SentRequest, number>();

  constructor(requests: Requests, faults: () => readonly string[], terms: PermitTerms) {
    this.#requests = requests;
    this.#faults = faults;
    this.#terms = terms;
  }

  end(sent: SentRequest): void {
    this.#ended.add(sent);
  }

  hearEnd(sent: SentRequest): void {
    this.#releasedAt.set(sent, this.#requests.fleet.world.now);
  }

  /** Without Redis a process gives no more than its share, whatever it has given before. */
  checkShare({ member }: SentRequest): void {
    const { own } = this.#terms;
    let units = 0;
    for (const sent of this.#requests.all) {
      if (sent.member === member && isLocal(sent) && !this.#ended.has(sent)) units += sent.cost;
    }
    if (units > own) this.#fail(`${member.process.name} gives ${units} units alone, and at most ${own}`);
  }

  check(): void {
    if (this.#terms.isFair) return;
    const faults = this.#faults();
    const waits = this.#terms.wait > 0;
    // Processes with requests that wait leave each other units, for as long as a wish of one counts.
    const leavesUnits = waits && this.#requests.fleet.size > 1;
    for (const sent of this.#requests.all) {
      if (!leavesUnits && faults.every((name) => name === 'a process dies')) this.#checkDenial(sent);
      if (waits && faults.length === 0) this.#checkOrder(sent);
    }
  }

  /** Redis denies where units are held. Those of a process that has died lapse, also of work whose end Redis has not heard. */
  #checkDenial(denied: SentRequest): void {
    const { decision, sentAt, answeredAt, cost } = denied;
    if (decision?.reason !== 'denied' || decision.source !== 'redis' || decision.deniedBy.join() !== 'running') return;
    let units = cost;
    for (const each of this.#requests.all) {
      if (each.decision?.allowed === false && !each.decision.degraded) continue;
      if (each.sentAt <= answeredAt && this.#heldUntil(each) >= sentAt) units += each.cost;
    }
    const { limit } = this.#terms;
    if (units > limit) return;
    this.#fail(`${cost} are denied at ${answeredAt.toFixed(2)}, although ${units - cost} of ${limit} may be held`);
  }

  #heldUntil(sent: SentRequest): number {
    const hold = this.#terms.hold * DRIFT;
    const releasedAt = this.#releasedAt.get(sent);
    if (releasedAt !== undefined) return releasedAt;
    // A release may be lost with the process that has sent it, and so may a request that got units.
    const answeredAt = sent.decision?.allowed === true ? Infinity : sent.answeredAt;
    return Math.min(answeredAt, sent.member.process.diedAt) + hold + WAYS_MS;
  }

  /** Of requests that wait in a process, the first comes first. */
  #checkOrder({ member, decision, sentAt, answeredAt, cost }: SentRequest): void {
    if (decision?.allowed !== true) return;
    for (const other of this.#requests.all) {
      const waits = other.sentAt < sentAt - WAYS_MS && other.answeredAt > answeredAt + LAG_MS;
      if (other.member !== member || !waits || other.cost > cost) continue;
      this.#fail(`the request of ${sentAt.toFixed(2)} overtakes that of ${other.sentAt.toFixed(2)}`);
    }
  }

  #fail(problem: string): void {
    this.#requests.fleet.world.fail(problem);
  }
}
