// batch/ collects the checks of one turn of the event loop into one round trip. Checks enter, and answers leave. It
// imports encoding, connection and client.
import type { Answer, Claim, Deferred, PendingCheck, RequestFacts } from '@sluice/core/internal';
import { hashTag } from '../client/hash-tag.js';
import type { Connection } from '../connection/connection.js';
import { Batch } from './batch.js';
import { PlainCheck } from './plain-check.js';

/**
 * Collects checks into batches. It sends a batch that holds as many checks as are in flight (a lone check immediately),
 * a full batch, and every batch at the end of the turn: docs/decisions/0018-batching.md.
 */
export class Batcher {
  readonly connection: Connection;
  /** The batch that receives checks. */
  #batch: Batch | undefined;
  /** On a Cluster a batch for each hash tag, because the keys of a call must share a slot. */
  #tagBatches = new Map<string, Batch>();
  #isScheduled = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** True while a batch collects checks, which Redis can decide as far as is known. False on a Cluster. */
  get isCollecting(): boolean {
    return this.#batch !== undefined;
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
    const { answer } = check;
    const tag = this.connection.isCluster ? hashTag(check.group[0]!.key) : undefined;
    let batch = this.#batchOf(tag) ?? this.#createBatch(tag);
    while (!batch.add(check)) {
      this.#send(tag);
      // A caller that gets an error while a batch is sent may enqueue again.
      batch = this.#batchOf(tag) ?? this.#createBatch(tag);
    }
    if (batch.isFull || this.#isLargeEnough(batch)) this.#send(tag);
    else this.#schedule();
    return answer;
  }

  /** Sends all pending batches, so that a call that is sent next runs after them. */
  flush(): void {
    this.#send(undefined);
    const tags = Array.from(this.#tagBatches.keys());
    for (const tag of tags) this.#send(tag);
  }

  /** This process encodes a batch while Redis decides one of the same size. Smaller ones only add system calls. */
  #isLargeEnough({ size }: Batch): boolean {
    const inFlight = this.connection.inFlight();
    // A batch on a Cluster holds one identity and seldom grows.
    return this.connection.isCluster ? inFlight === 0 : size >= inFlight;
  }

  #batchOf(tag: string | undefined): Batch | undefined {
    return tag === undefined ? this.#batch : this.#tagBatches.get(tag);
  }

  #createBatch(tag: string | undefined): Batch {
    const batch = new Batch(performance.now(), this.connection.isCluster);
    if (tag === undefined) this.#batch = batch;
    else this.#tagBatches.set(tag, batch);
    return batch;
  }

  #send(tag: string | undefined): void {
    const batch = this.#batchOf(tag);
    if (batch === undefined) return;
    // A caller that gets an error may enqueue again at once, and then finds no pending batch.
    if (tag === undefined) this.#batch = undefined;
    else this.#tagBatches.delete(tag);
    this.connection.send(batch, performance.now());
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // By the end of the turn Node has read the replies and requests of several sockets.
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }
}
