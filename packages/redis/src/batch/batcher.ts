// batch/ collects the checks of one turn of the event loop into one round trip. Checks enter, and answers leave. It
// imports encoding, connection and client.
import { type Answer, type Claim, Deferred, type PendingCheck, type RequestFacts } from '@sluice/core/internal';
import { hashTag } from '../client/hash-tag.js';
import type { Connection } from '../connection/connection.js';
import { Batch } from './batch.js';
import { PlainCheck } from './plain-check.js';

/** Of the batch of a server that is no Cluster. No key is empty. */
const NO_TAG = '';

/**
 * Collects checks into batches. It sends a batch that holds as many checks as are in flight (a lone check immediately),
 * a full batch, and every batch at the end of the turn: docs/decisions/0018-batching.md.
 */
export class Batcher {
  readonly connection: Connection;
  /** The batches that receive checks: on a Cluster one for each hash tag, because the keys of a call must share a slot. */
  readonly #batches = new Map<string, Batch>();
  #isScheduled = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** True while a batch collects checks, which Redis can decide as far as is known. False on a Cluster. */
  get isCollecting(): boolean {
    return this.#batches.has(NO_TAG);
  }

  /** @param group on a Cluster claims of one hash tag */
  consume(group: readonly Claim[], facts?: RequestFacts): Deferred<Answer> {
    return this.add(new PlainCheck(group, false, facts));
  }

  /** @param group on a Cluster claims of one hash tag */
  peek(group: readonly Claim[]): Deferred<Answer> {
    return this.add(new PlainCheck(group, true));
  }

  /** @param check on a Cluster of one hash tag */
  add(check: PendingCheck): Deferred<Answer> {
    const answer = (check.answer = new Deferred<Answer>());
    const { isCluster } = this.connection;
    const tag = isCluster ? hashTag(check.group[0]!.key) : NO_TAG;
    let batch = this.#batches.get(tag);
    while (batch !== undefined && !batch.add(check)) {
      this.#send(tag, batch);
      // A caller that gets an error while a batch is sent may enqueue again.
      batch = this.#batches.get(tag);
    }
    if (batch === undefined) {
      batch = new Batch(performance.now(), isCluster);
      batch.add(check);
    }
    const { inFlight } = this.connection;
    // This process encodes a batch while Redis decides one of the same size. Smaller ones only add system calls. A batch
    // on a Cluster holds one identity and seldom grows.
    const isDue = batch.isFull || (isCluster ? inFlight === 0 : batch.groups >= inFlight);
    if (isDue) this.#send(tag, batch);
    else this.#schedule(tag, batch);
    return answer;
  }

  /** Sends all pending batches, so that a call that is sent next runs after them. */
  flush(): void {
    for (const [tag, batch] of Array.from(this.#batches)) if (this.#batches.get(tag) === batch) this.#send(tag, batch);
  }

  #send(tag: string, batch: Batch): void {
    // A caller that gets an error may enqueue again at once, and then finds no pending batch.
    this.#batches.delete(tag);
    this.connection.send(batch, performance.now());
  }

  #schedule(tag: string, batch: Batch): void {
    this.#batches.set(tag, batch);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // By the end of the turn Node has read the replies and requests of several sockets.
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }
}
