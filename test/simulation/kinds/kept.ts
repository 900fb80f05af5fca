import type { Decision } from '../../../packages/core/src/index.js';
import type { Fleet } from '../fleet.js';
import { isStored, type SentRequest } from '../requests.js';

/** Units that requests of one client keep: admitted, less what they give back. Redis must have counted them. */
export class Kept {
  /** Units that Redis has charged certainly. */
  least = 0;
  /** Units that it may have charged. */
  most = 0;
  readonly #fleet: Fleet;
  readonly #faults: () => readonly string[];
  readonly #refunds: Refund[] = [];
  /** What raises `most`, and since when it may have been charged. */
  readonly #charges: { readonly units: number; readonly since: number }[] = [];
  /** Requests that one slot of a Cluster may have charged until they had the denial of another slot. */
  readonly #denied: SentRequest[] = [];

  constructor(fleet: Fleet, faults: () => readonly string[]) {
    this.#fleet = fleet;
    this.#faults = faults;
  }

  /** A request has its answer. @param asked how often it has asked Redis at most: what Redis counts stays where a reply is lost */
  add(sent: SentRequest, asked = 1): void {
    const { cost, decision } = sent;
    const isCounted = isStored(sent);
    if (isCounted) this.least += cost;
    const mayBeCounted = isCounted || decision?.degraded || (this.#fleet.isCluster && this.#isFaulty);
    const times = (mayBeCounted ? 1 : 0) + (this.#isFaulty ? asked - 1 : 0);
    if (times > 0) this.#charge(times * cost, sent.sentAt);
    else if (this.#fleet.isCluster) this.#denied.push(sent);
  }

  /** A request has no answer, because its process has died. */
  addUnanswered({ cost, sentAt }: SentRequest): void {
    this.#charge(cost, sentAt);
  }

  /** Units that may have been charged until a time, without what came back. */
  chargedUntil(time: number): number {
    return this.#charges.reduce((sum, { units, since }) => (since <= time ? sum + units : sum), 0);
  }

  /** Units of requests that were denied, some of whose slots may have charged them in a span of time. */
  chargedMeanwhile(from: number, to: number): number {
    const denied = this.#denied.filter(({ sentAt, answeredAt }) => sentAt <= to && answeredAt >= from);
    return denied.reduce((sum, { cost }) => sum + cost, 0);
  }

  /** A request that a process of this fleet corrects. Resolves when it has done so. */
  async correct({ decision, cost, sentAt }: Charged, { target, move, isOver = false }: Correction): Promise<void> {
    const isCounted = decision.source === 'redis';
    // Its reply may be lost.
    if (isCounted && target < cost) this.least -= cost - target;
    if (target > cost) this.#charge(target - cost, this.#fleet.world.now);
    const refund: Refund = { units: Math.max(0, cost - target), sentAt, endedAt: Infinity };
    if (isCounted) this.#refunds.push(refund);
    const moved = await move();
    refund.endedAt = this.#fleet.world.now;
    this.#fleet.world.tell('', `corrects ${cost} to ${target}: ${moved}`);
    if (!isCounted) return;
    if (target < cost && moved === target - cost) this.most -= cost - target;
    if (target > cost && !this.#isFaulty) this.least += moved;
    const isRight = target < cost ? moved <= 0 && moved >= target - cost : moved >= 0 && moved <= target - cost;
    if (!isRight) this.#fleet.world.fail(`moves ${moved} units to correct ${cost} to ${target}`);
    if (target < cost && moved !== target - cost && !this.#isFaulty && !(isOver && moved === 0)) {
      this.#fleet.world.fail(`gives ${-moved} back of ${cost - target}, without a fault`);
    }
  }

  /** Units that came back, or may have, after a loss of data since they were charged. */
  get lateRefunds(): number {
    const { losses } = this.#fleet;
    const late = this.#refunds.filter(({ sentAt, endedAt }) => losses.some((at) => at >= sentAt && at <= endedAt));
    return late.reduce((sum, { units }) => sum + units, 0);
  }

  #charge(units: number, since: number): void {
    this.most += units;
    this.#charges.push({ units, since });
  }

  get #isFaulty(): boolean {
    return this.#faults().length > 0;
  }
}

/** A request that Redis or a process has admitted. */
export interface Charged {
  readonly decision: Decision;
  readonly cost: number;
  readonly sentAt: number;
}

interface Refund {
  readonly units: number;
  /** When its request was sent. */
  readonly sentAt: number;
  /** Infinity: not yet. */
  endedAt: number;
}

export interface Correction {
  /** What the request has cost in truth. */
  readonly target: number;
  /** Returns the units charged, less those that came back. */
  readonly move: () => Promise<number>;
  /** The window that was charged may be over, so that time has given the units back. */
  readonly isOver?: boolean;
}
