import type { Claim } from '../../model/claim.js';
import type { Answer } from '../store.js';
import { CheckCall, type Check } from './check-call.js';
import { hashTag } from './hash-tag.js';
import type { RedisLink } from './redis-link.js';

/**
 * Checks of one turn of the event loop travel together. A call leaves when it is full, at the end of the turn, or at
 * once when nothing is in flight, so that a lone check never waits.
 */
export class CheckQueue {
  readonly #link: RedisLink;
  readonly #isCluster: boolean;
  /** On a Cluster, where the keys of a call have to share a slot, one call by hash tag; else one. */
  readonly #calls = new Map<string, CheckCall>();
  #scheduled = false;

  constructor(link: RedisLink, isCluster: boolean) {
    this.#link = link;
    this.#isCluster = isCluster;
  }

  /** @param group claims of one hash tag, where the client is one of a Cluster */
  ask(group: readonly Claim[], peek: boolean): Promise<Answer> {
    const tag = this.#isCluster ? hashTag(group[0]!.key) : '';
    return new Promise((resolve, reject) => {
      this.#add({ group, peek, resolve, reject }, tag);
    });
  }

  /** Sends what waits for the end of the turn, so that what is sent next comes after it. */
  flush(): void {
    if (this.#calls.size === 0) return;
    const now = performance.now();
    for (const [tag, call] of this.#calls) this.#send(tag, call, now);
  }

  #add(check: Check, tag: string): void {
    let call = this.#calls.get(tag);
    if (call !== undefined && !call.hasRoomFor(check.group)) {
      this.#send(tag, call, performance.now());
      call = undefined;
    }
    if (call === undefined) {
      call = new CheckCall(performance.now());
      this.#calls.set(tag, call);
    }
    call.add(check);
    if (this.#link.isIdle) this.#send(tag, call, call.asked);
    else if (call.full) this.#send(tag, call, performance.now());
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // The end of the turn: replies and requests of several sockets have been read by then.
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  #send(tag: string, call: CheckCall, now: number): void {
    this.#calls.delete(tag);
    this.#link.send(call, now);
  }
}
