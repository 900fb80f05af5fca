import { Deferred } from '../../../async/deferred.js';
import type { Claim } from '../../../model/claim.js';
import type { Answer, Reception } from '../../store.js';
import { hashTag } from '../client/hash-tag.js';
import type { Connection } from '../connection/connection.js';
import { Batch } from './batch.js';

/** An answered caller that sends another check does so within this time: the time to deliver the answers of a turn. */
const RETURN_WINDOW_MS = 0.5;

/**
 * Collects checks into batches. It sends a full batch, every batch at the end of the turn, and a lone check immediately:
 * docs/decisions/0018-batching.md.
 */
export class Batcher {
  readonly connection: Connection;
  /** The batch that receives checks. */
  #batch: Batch | undefined;
  /** On a Cluster a batch for each hash tag, because the keys of a call must share a slot. */
  #tagBatches = new Map<string, Batch>();
  /** Checks that were answered recently, and whose callers may return. */
  #returning = 0;
  #answeredAt = -Infinity;
  #isScheduled = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** True while a batch collects checks, which Redis can decide as far as is known. False on a Cluster. */
  get isCollecting(): boolean {
    return this.#batch !== undefined;
  }

  /**
   * @param group on a Cluster claims of one hash tag
   * @param reception gets the answer or the error first
   */
  enqueue(group: readonly Claim[], operation: 'consume' | 'peek', reception?: Reception): Deferred<Answer> {
    const answer = new Deferred<Answer>();
    const check = { group, isPeek: operation === 'peek', answer, reception };
    const tag = this.connection.isCluster ? hashTag(group[0]!.key) : undefined;
    let batch = this.#batchOf(tag) ?? this.#createBatch(tag);
    while (!batch.add(check)) {
      this.#send(tag);
      // A caller that gets an error while a batch is sent may enqueue again.
      batch = this.#batchOf(tag) ?? this.#createBatch(tag);
    }
    if (this.#returning > 0) this.#returning -= 1;
    if (batch.isFull || this.#isLone(batch)) this.#send(tag);
    else this.#schedule();
    return answer;
  }

  /** Sends all pending batches, so that a call that is sent next runs after them. */
  flush(): void {
    this.#send(undefined);
    const tags = Array.from(this.#tagBatches.keys());
    for (const tag of tags) this.#send(tag);
  }

  /** True while no other check is in flight, and none can be expected in this turn. */
  #isLone({ createdAt }: Batch): boolean {
    if (this.connection.inFlight() > 0) return false;
    // A batch on a Cluster holds one identity and seldom grows.
    return this.connection.isCluster || this.#returningAt(createdAt) === 0;
  }

  #returningAt(now: number): number {
    return now - this.#answeredAt < RETURN_WINDOW_MS ? this.#returning : 0;
  }

  readonly #onSettled = (checks: number): void => {
    const now = performance.now();
    this.#returning = this.#returningAt(now) + checks;
    this.#answeredAt = now;
  };

  #batchOf(tag: string | undefined): Batch | undefined {
    return tag === undefined ? this.#batch : this.#tagBatches.get(tag);
  }

  #createBatch(tag: string | undefined): Batch {
    const batch = new Batch(performance.now(), this.#onSettled);
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
