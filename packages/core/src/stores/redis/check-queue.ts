import type { Claim } from '../../model/claim.js';
import type { Answer } from '../store.js';
import { CheckCall, type Check } from './check-call.js';
import { hashTag } from './hash-tag.js';
import { runScript, type RedisClient } from './redis-client.js';
import { toStoreError } from './redis-error.js';
import { scripts } from './scripts.js';

/**
 * Checks of one turn of the event loop travel together. A call leaves when it is full, at the end of the turn, or at
 * once when nothing is in flight, so that a lone check never waits.
 */
export class CheckQueue {
  readonly #client: RedisClient;
  /** On a Cluster, where the keys of a call have to share a slot, one call by hash tag; else one. */
  readonly #calls = new Map<string, CheckCall>();
  readonly #inFlight = new Set<Promise<void>>();
  #scheduled = false;

  constructor(client: RedisClient) {
    this.#client = client;
  }

  /** @param group claims of one hash tag, where the client is one of a Cluster */
  ask(group: readonly Claim[], peek: boolean): Promise<Answer> {
    const tag = this.#client.isCluster === true ? hashTag(group[0]!.key) : '';
    return new Promise((resolve, reject) => {
      this.#add({ group, peek, resolve, reject }, tag);
    });
  }

  /** Sends what waits for the end of the turn, so that what is sent next comes after it. */
  flush(): void {
    for (const [tag, call] of this.#calls) this.#send(tag, call);
  }

  /** Waits until all that has been asked so far is answered. */
  async idle(): Promise<void> {
    this.flush();
    await Promise.all(this.#inFlight);
  }

  #add(check: Check, tag: string): void {
    let call = this.#calls.get(tag);
    if (call !== undefined && !call.hasRoomFor(check.group)) {
      this.#send(tag, call);
      call = undefined;
    }
    if (call === undefined) {
      call = new CheckCall();
      this.#calls.set(tag, call);
    }
    call.add(check);
    if (call.full || this.#inFlight.size === 0) this.#send(tag, call);
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

  #send(tag: string, call: CheckCall): void {
    this.#calls.delete(tag);
    const answered = runScript(this.#client, scripts[call.script], call.keys, call.arguments)
      .finally(() => this.#inFlight.delete(answered))
      .then((reply) => call.answer(reply))
      .catch((error: unknown) => call.fail(toStoreError(error)));
    this.#inFlight.add(answered);
  }
}
