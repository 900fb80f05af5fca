import type { Claim } from '../../../model/claim.js';
import { Deferred } from '../../../async/deferred.js';
import type { PendingCheck } from '../../pending-check.js';
import type { Answer } from '../../store.js';
import { Batch, GROUPS_MAX } from './batch.js';
import { hashTag } from '../client/hash-tag.js';
import type { Connection } from '../connection/connection.js';

/**
 * Calls in which all that is in play goes. With fewer of them Redis and this process wait for each other; with more, each
 * of them costs both sides more than it is worth.
 */
const CALLS = 4;
/** Milliseconds within which whoever was answered asks again: as long as the answers of one turn take to be read. */
const MOMENT = 0.5;
/** Where as much is under way, an answer is near, and brings more to ask: what waits may wait to become as much as it should. */
const MUCH = GROUPS_MAX;
/** What it waits at most: milliseconds, and a part of the deadline. */
const PATIENCE = 2;
const PATIENCE_OF_DEADLINE = 0.04;

/**
 * Checks travel together. A call leaves when it holds a fourth of all that is in play, which for a lone check is at once;
 * when it is full; and at the end of the turn of the event loop, unless so much is under way that more will come in a
 * moment. Measured in docs/decisions/0018-batching.md.
 */
export class Batcher {
  readonly #link: Connection;
  readonly #isCluster: boolean;
  readonly #patience: number;
  #call: Batch | undefined;
  /** On a Cluster, where the keys of a call have to share a slot, one call by hash tag. */
  #calls = new Map<string, Batch>();
  /** Checks that were answered a moment ago, and whose askers are expected back. */
  #returning = 0;
  #answeredAt = -Infinity;
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(link: Connection, isCluster: boolean) {
    this.#link = link;
    this.#isCluster = isCluster;
    this.#patience = Math.min(PATIENCE, link.deadline.milliseconds * PATIENCE_OF_DEADLINE);
    link.onSettled = (checks) => {
      if (checks > 0) this.#expect(checks);
      if (this.#call) this.#schedule();
    };
  }

  /** @param group claims of one hash tag, where the client is one of a Cluster */
  ask(group: readonly Claim[], isPeek: boolean): Deferred<Answer> {
    const check = { group, isPeek, answer: new Deferred<Answer>() };
    this.#add(check, this.#isCluster ? hashTag(group[0]!.key) : undefined);
    return check.answer;
  }

  /** Sends what waits, so that what is sent next comes after it. */
  flush(): void {
    this.#send(undefined);
    if (this.#calls.size === 0) return;
    const calls = this.#calls;
    this.#calls = new Map();
    const now = performance.now();
    for (const call of calls.values()) this.#link.send(call, now);
  }

  #add(check: PendingCheck, tag: string | undefined): void {
    // Who is told of a failure meanwhile may have asked for more.
    while (this.#waiting(tag)?.hasRoomFor(check.group) === false) this.#send(tag);
    let call = this.#waiting(tag);
    if (call === undefined) {
      call = new Batch(performance.now());
      if (tag === undefined) this.#call = call;
      else this.#calls.set(tag, call);
    }
    call.add(check);
    if (this.#returning > 0) this.#returning -= 1;
    if (call.full || this.#isEnough(call)) this.#send(tag);
    else this.#schedule();
  }

  #isEnough({ groups, asked }: Batch): boolean {
    const { checks } = this.#link;
    // Calls of a Cluster are of one identity each, and seldom become fuller than they are.
    return this.#isCluster ? checks === 0 : groups * CALLS >= checks + groups + this.#returningAt(asked);
  }

  #expect(checks: number): void {
    const now = performance.now();
    this.#returning = this.#returningAt(now) + checks;
    this.#answeredAt = now;
  }

  #returningAt(now: number): number {
    return now - this.#answeredAt < MOMENT ? this.#returning : 0;
  }

  #waiting(tag: string | undefined): Batch | undefined {
    return tag === undefined ? this.#call : this.#calls.get(tag);
  }

  /** Whoever is told of its failure may ask for more at once: it does not wait any longer by then. */
  #send(tag: string | undefined): void {
    const call = this.#waiting(tag);
    if (call === undefined) return;
    if (tag === undefined) this.#call = undefined;
    else this.#calls.delete(tag);
    this.#link.send(call, performance.now());
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // The end of the turn: replies and requests of several sockets have been read by then.
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#isCluster || this.#link.checks < MUCH) this.flush();
      else this.#wait();
    });
  }

  /** One timer for all calls, for most of them leave before their time. */
  #wait(): void {
    if (this.#call === undefined) return;
    const left = this.#call.asked + this.#patience - performance.now();
    if (left <= 0) this.flush();
    else if (this.#timer === undefined) this.#timer = setTimeout(() => this.#waited(), left);
  }

  #waited(): void {
    this.#timer = undefined;
    this.#wait();
  }
}
