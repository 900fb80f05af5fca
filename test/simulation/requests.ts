import type { Decision } from '../../packages/core/src/index.js';
import type { Fleet, Member } from './fleet.js';

/** A request that a process has decided, or decides. Times are simulated milliseconds. */
export interface SentRequest {
  readonly member: Member;
  readonly key: string;
  readonly cost: number;
  /** That the tier has for it where no override decides. Undefined: that of its outcome. */
  readonly limit: number | undefined;
  readonly sentAt: number;
  /** Infinity: not yet. */
  answeredAt: number;
  decision: Decision | undefined;
}

export interface RequestOptions {
  readonly key: string;
  readonly cost?: number;
  readonly limit?: number;
  /** Milliseconds beyond the deadline that it may wait. */
  readonly patience?: number;
}

export const DEADLINE_MS = 50;
export const CONNECT_DEADLINE_MS = 2_000;
/** Of the loop and its timers. */
export const LAG_MS = 10;

/** Faults of a server that runs nothing, and says so. */
export const REFUSALS: ReadonlySet<string> = new Set([
  'Redis denies a right',
  'Redis loads its data',
  'Redis is read-only',
]);

/** All requests of a fleet. None rejects, and none waits longer than the guide says. */
export class Requests {
  readonly all: SentRequest[] = [];
  /** When each process has had its first one. */
  readonly #firsts = new Map<Member, number>();

  constructor(readonly fleet: Fleet) {}

  /** Has a process decide a request. Resolves with the decision. */
  async send(
    member: Member,
    options: RequestOptions,
    decide: () => PromiseLike<Decision> | Decision,
  ): Promise<SentRequest> {
    const { world } = this.fleet;
    const { key, cost = 1, limit, patience = 0 } = options;
    const sent: SentRequest = {
      member,
      key,
      cost,
      limit,
      sentAt: world.now,
      answeredAt: Infinity,
      decision: undefined,
    };
    this.all.push(sent);
    const stalledBefore = member.process.stalled;
    const connecting = this.#connectingOf(member);
    const { name } = member.process;
    try {
      sent.decision = await decide();
    } catch (error) {
      world.fail(`a request of ${name} rejects: ${String(error)}`);
    }
    sent.answeredAt = world.now;
    const waited = world.now - sent.sentAt - (member.process.stalled - stalledBefore);
    const most = connecting + DEADLINE_MS + LAG_MS + patience;
    if (waited > most)
      world.fail(`a request of ${name} waits ${waited.toFixed(1)} ms, and at most ${most.toFixed(1)} are allowed`);
    const isConnecting =
      !this.fleet.isCluster && member.readyAt > world.now && most > DEADLINE_MS + 2 * LAG_MS + patience;
    // The time counts from the first call, which may be one that no request makes.
    if (isConnecting && sent.decision?.degraded && world.now < member.startedAt + CONNECT_DEADLINE_MS - LAG_MS)
      world.fail(
        `a request of ${name} waits ${waited.toFixed(1)} ms for a first connection, which may take ${connecting}`,
      );
    if (world.story && sent.decision) {
      const { allowed, reason, source, retryAfter, binding } = sent.decision;
      const what = allowed ? 'admitted' : `${reason} for ${retryAfter} ms`;
      const terms =
        binding === undefined ? '' : ` at limit ${binding.limit}${binding.override ? ' of an override' : ''}`;
      world.tell(name, `${key} x${cost}: ${what} by ${source}${terms}, sent at ${sent.sentAt.toFixed(2)}`);
    }
    return sent;
  }

  /**
   * Milliseconds that a request may wait for a connection that its process has never had: two seconds from its first
   * request on, and the deadline for a primary that it needs later.
   */
  #connectingOf(member: Member): number {
    const { world, isCluster } = this.fleet;
    const first = this.#firsts.get(member) ?? world.now;
    this.#firsts.set(member, first);
    if (member.readyAt <= world.now) return 0;
    return Math.max(isCluster ? DEADLINE_MS : 0, first + CONNECT_DEADLINE_MS - world.now);
  }

  /**
   * A right that a Redis user lacks is a mistake of its configuration, which keeps no call away from Redis: it decides as soon as
   * it has the right. A first request may find facts in its process that Redis has refused, and has them sent.
   *
   * @param until when all faults are over
   */
  checkServed(until: number, faults: readonly string[]): void {
    if (faults.length === 0 || faults.some((name) => name !== 'Redis denies a right')) return;
    const firsts = new Map<Member, number>();
    for (const { member, sentAt, decision } of this.all) {
      if (sentAt < until + LAG_MS || member.readyAt > sentAt) continue;
      // A denial that the process remembers asks nobody.
      if (decision?.source !== 'deny-cache' && !firsts.has(member)) firsts.set(member, sentAt);
      const firstAt = firsts.get(member) ?? Infinity;
      if (sentAt < firstAt + DEADLINE_MS || decision?.degraded !== true) continue;
      const when = `at ${sentAt.toFixed(2)}, and Redis has answered since ${until.toFixed(2)}`;
      this.fleet.world.fail(`${member.process.name} decides alone ${when}`);
    }
  }

  /** Of processes that live, what has no answer. */
  checkAnswered(): void {
    const { world } = this.fleet;
    for (const { member, answeredAt, sentAt, key } of this.all) {
      if (answeredAt < Infinity || member.process.isDead) continue;
      world.fail(`a request of ${member.process.name} for ${key} at ${sentAt.toFixed(2)} has no answer`);
    }
  }
}

/** True for a decision that the state in Redis has allowed. */
export function isStored({ decision }: SentRequest): boolean {
  return decision?.allowed === true && (decision.source === 'redis' || decision.source === 'lease');
}

export function isLocal({ decision }: SentRequest): boolean {
  return decision?.allowed === true && decision.source === 'local';
}
