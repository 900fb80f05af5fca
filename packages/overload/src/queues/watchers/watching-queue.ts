/** What becomes of an acquisition: one of the two is called once. */
export interface Acquisition {
  /** Asks the pool. */
  start(): void;
  /** @param error why it was refused, or has left */
  fail(error: unknown): void;
}

/** The queue before a pool, as its watcher sees it. */
export interface WatchingQueue {
  readonly name: string;
  /** Requests that are under way together, for a pool that does not say how many it has room for. Undefined where nobody has said it. */
  readonly max: number | undefined;
  /** Starts an acquisition when it is its turn. */
  enter(acquisition: Acquisition): void;
  /** The pool has room. */
  letIn(): void;
}
